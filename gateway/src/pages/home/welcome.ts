import { html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import type { Page } from '../page.js'
import { signInFor } from '../sign-in/next.js'
import { isSignUpOpen, signUpFor } from '../sign-up/open.js'

/** What Figbase is, for visitors who are not signed in. */
export async function welcomePage(input: Input): Promise<Page> {
  const { t } = textsOf(input)
  const isOpen = await isSignUpOpen(input)
  const signUp = isOpen
    ? html`<a class="button secondary" href="${signUpFor('/')}">${t('signUp.title')}</a>`
    : html``
  return {
    title: t('welcome.title'),
    content: html`<h1>${t('welcome.title')}</h1>
<p>${t('welcome.what')}</p>
<ul class="points"><li>${t('welcome.publish')}</li><li>${t('welcome.find')}</li><li>${t('welcome.share')}</li></ul>
<p class="buttons"><a class="button" href="${signInFor('/')}">${t('frame.signIn')}</a>${signUp}
<a class="button secondary" href="/docs/">${t('frame.guide')}</a></p>`,
  }
}
