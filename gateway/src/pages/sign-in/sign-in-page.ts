import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import type { Page } from '../page.js'
import { nameHtml } from '../text.js'
import { pathOf } from './next.js'

type SignInValues = { next?: string | undefined; username?: string | undefined; problem?: string }

/** The sign-in form, with a link to the identity provider if there is one. */
export async function signInPage(input: Input, values: SignInValues = {}): Promise<Page> {
  const next = pathOf(values.next)
  const provider = await input.services.signIn.getProvider({}, input.call)
  const withProvider = provider.clientId ? providerLink(provider.name, next) : html``
  return {
    title: 'Sign in',
    hasForm: true,
    content: html`<h1>Sign in</h1>${withProvider}${passwordForm(next, values)}`,
  }
}

export function signedInPage(username: string): Page {
  return {
    title: 'Signed in',
    hasForm: true,
    content: html`<h1>You are signed in</h1>
<p>You are signed in as ${nameHtml(username)}. The pages of this site now show everything that you may view.</p>
<form method="post" action="/sign-out/"><button type="submit">Sign out</button></form>`,
  }
}

const providerLink = (name: string, next: string) =>
  html`<p><a class="button" href="/sign-in/sso/?next=${encodeURIComponent(next)}">Sign in with ${nameHtml(name)}</a></p>
<p class="quiet">Or sign in with your username and password:</p>`

const passwordForm = (next: string, { username = '', problem }: SignInValues): Html =>
  html`${problem ? html`<p class="problem" role="alert">${problem}</p>` : html``}
<form method="post" action="/sign-in/">
<input type="hidden" name="next" value="${next}">
<label>Username <input name="username" value="${username}" autocomplete="username" autocapitalize="none" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button></form>`
