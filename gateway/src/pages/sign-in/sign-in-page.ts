import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import type { Page } from '../page.js'
import { isSignUpOpen, signUpFor } from '../sign-up/open.js'
import { nameHtml } from '../text.js'
import { pathOf } from './next.js'

type SignInValues = { next?: string | undefined; username?: string | undefined; problem?: Html }

/** The sign-in form, with a link to the identity provider if there is one. */
export async function signInPage(input: Input, values: SignInValues = {}): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const next = pathOf(values.next)
  const [provider, isOpen] = await Promise.all([
    input.services.signIn.getProvider({}, input.call),
    isSignUpOpen(input),
  ])
  const signUp = isOpen
    ? html`<p>${t('signUp.offer', { link: (text) => html`<a href="${signUpFor(next)}">${text}</a>` })}</p>`
    : html``
  const withProvider = provider.clientId ? providerLink(texts, provider.name, next) : html``
  return {
    title: t('signIn.title'),
    hasForm: true,
    content: html`<h1>${t('signIn.title')}</h1>${withProvider}${passwordForm(texts, next, values)}
<p><a href="/password-reset/">${t('signIn.forgotten')}</a></p>${signUp}`,
  }
}

export function signedInPage({ t }: Texts, username: string): Page {
  return {
    title: t('signIn.signedIn'),
    hasForm: true,
    content: html`<h1>${t('signIn.signedIn')}</h1>
<p>${t('signIn.signedInAs', { name: nameHtml(username) })}</p>
<form method="post" action="/sign-out/"><button type="submit">${t('signIn.signOut')}</button></form>`,
  }
}

const providerLink = ({ t }: Texts, name: string, next: string) =>
  html`<p><a class="button" href="/sign-in/sso/?next=${encodeURIComponent(next)}">${t('signIn.withProvider', { name: nameHtml(name) })}</a></p>
<p class="quiet">${t('signIn.orWithPassword')}</p>`

const passwordForm = ({ t }: Texts, next: string, { username = '', problem }: SignInValues): Html =>
  html`${problem ? html`<p class="problem" role="alert">${problem}</p>` : html``}
<form method="post" action="/sign-in/">
<input type="hidden" name="next" value="${next}">
<label>${t('signIn.username')} <input name="username" value="${username}" autocomplete="username" autocapitalize="none" required></label>
<label>${t('signIn.password')} <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">${t('signIn.submit')}</button></form>`
