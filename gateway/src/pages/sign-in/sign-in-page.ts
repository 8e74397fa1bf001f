import { type Html, html } from '@figbase/kit'
import type { Input } from '../../endpoint.js'
import type { Page } from '../page.js'
import { named } from '../text.js'
import { pathOf } from './next.js'

type Entered = { next?: string | undefined; username?: string | undefined; problem?: string }

/** With a password or with the provider, if there is one; or as whom somebody is signed in already. */
export async function signInPage(input: Input, entered: Entered = {}): Promise<Page> {
  const next = pathOf(entered.next)
  const provider = await input.services.signIn.getProvider({}, input.call)
  const withProvider = provider.clientId ? providerLink(provider.name, next) : html``
  return {
    title: 'Sign in',
    hasForm: true,
    content: html`<h1>Sign in</h1>${withProvider}${passwordForm(next, entered)}`,
  }
}

export function signedInPage(username: string): Page {
  return {
    title: 'Signed in',
    hasForm: true,
    content: html`<h1>You are signed in</h1>
<p>As ${named(username)}. The pages show what you may view.</p>
<form method="post" action="/sign-out/"><button type="submit">Sign out</button></form>`,
  }
}

const providerLink = (name: string, next: string) =>
  html`<p><a class="button" href="/sign-in/sso/?next=${encodeURIComponent(next)}">Sign in with ${named(name)}</a></p>
<p class="quiet">Or with the password of an account here:</p>`

const passwordForm = (next: string, { username = '', problem }: Entered): Html =>
  html`${problem ? html`<p class="problem" role="alert">${problem}</p>` : html``}
<form method="post" action="/sign-in/">
<input type="hidden" name="next" value="${next}">
<label>Username <input name="username" value="${username}" autocomplete="username" autocapitalize="none" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button></form>`
