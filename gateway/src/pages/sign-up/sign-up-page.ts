import { html } from '@figbase/kit/text'
import type { Texts } from '../../texts/texts.js'
import type { FormValues } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import type { Page } from '../page.js'
import { passwordCharsMin } from '../password-reset.js'
import { signInFor } from '../sign-in/next.js'
import { signUpPath } from './open.js'

export function signUpForm({ t }: Texts, values: FormValues, problem?: Problem): Page {
  const { next = '', username = '', email = '', first_name = '', last_name = '' } = values
  return {
    ...(problem && { status: problem.status }),
    title: t('signUp.title'),
    hasForm: true,
    content: html`<h1>${t('signUp.title')}</h1>
<p>${t('signUp.known', { link: (text) => html`<a href="${signInFor(next)}">${text}</a>` })}</p>
${problemNote(t, problem)}
<form method="post" action="${signUpPath}">
<input type="hidden" name="next" value="${next}">
<label>${t('signIn.username')} <input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
<label>${t('person.email')} <input type="email" name="email" value="${email}" autocomplete="email" required></label>
<label>${t('person.firstName')} <input name="first_name" value="${first_name}" autocomplete="given-name"></label>
<label>${t('person.lastName')} <input name="last_name" value="${last_name}" autocomplete="family-name"></label>
<label>${t('signIn.password')} <input type="password" name="password" autocomplete="new-password" minlength="${String(passwordCharsMin)}" required></label>
<button>${t('signUp.submit')}</button></form>`,
  }
}

export const closedPage = ({ t }: Texts): Page => ({
  status: 403,
  title: t('signUp.title'),
  content: html`<h1>${t('signUp.title')}</h1><p>${t('signUp.closed')}</p>`,
})
