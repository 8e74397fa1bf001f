import { html } from '@figbase/kit/text'
import type { Route } from '../endpoint.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { form } from './form.js'
import { type Problem, problemNote, problemOf } from './form-problem.js'
import { fixedPage, type Page } from './page.js'
import { signInPath } from './sign-in/next.js'

/** The shortest password that identity accepts. */
export const passwordCharsMin = 8

const requestPage = ({ t }: Texts, problem?: Problem, email = ''): Page => ({
  title: t('passwordReset.title'),
  hasForm: true,
  content: html`<h1>${t('passwordReset.title')}</h1>
<p>${t('passwordReset.question')}</p>
${problemNote(t, problem)}
<form method="post">
<label>${t('passwordReset.email')} <input type="email" name="email" value="${email}" autocomplete="email" required></label>
<button>${t('passwordReset.send')}</button>
</form>`,
})

const sentPage = ({ t }: Texts): Page => ({
  title: t('passwordReset.sent'),
  content: html`<h1>${t('passwordReset.sent')}</h1>
<p>${t('passwordReset.sentNote')}</p>
<p>${t('passwordReset.notReceived')}</p>`,
})

const newPasswordPage = ({ t }: Texts, problem?: Problem): Page => ({
  title: t('passwordReset.choose'),
  hasForm: true,
  content: html`<h1>${t('passwordReset.choose')}</h1>
<p>${t('passwordReset.rules', { charsMin: passwordCharsMin })}</p>
${problemNote(t, problem)}
<form method="post">
<label>${t('passwordReset.newPassword')} <input type="password" name="password" autocomplete="new-password" minlength="${String(passwordCharsMin)}" required></label>
<button>${t('passwordReset.change')}</button>
</form>
<p class="quiet">${t('passwordReset.linkExpired', { link: (text) => html`<a href="/password-reset/">${text}</a>` })}</p>`,
})

const donePage = ({ t }: Texts): Page => ({
  title: t('passwordReset.done'),
  content: html`<h1>${t('passwordReset.done')}</h1>
<p>${t('passwordReset.doneNote', { link: (text) => html`<a href="${signInPath}">${text}</a>` })}</p>`,
})

export const passwordReset: Route[] = [
  fixedPage('/password-reset/', requestPage),
  form('/password-reset/', async (input) => {
    const { body, services, call } = input
    const { email = '' } = body
    const problem = await problemOf(services.accounts.requestPasswordReset({ email }, call))
    if (problem)
      return { status: problem.status, page: requestPage(textsOf(input), problem, email) }
    return { to: '/password-reset/sent/' }
  }),
  fixedPage('/password-reset/sent/', sentPage),
  fixedPage('/password-reset/done/', donePage),
  fixedPage('/password-reset/:token/', newPasswordPage),
  form('/password-reset/:token/', async (input) => {
    const { params, body, services, call } = input
    const request = { token: params.token ?? '', password: body.password ?? '' }
    const problem = await problemOf(services.accounts.resetPassword(request, call))
    if (problem) return { status: problem.status, page: newPasswordPage(textsOf(input), problem) }
    return { to: '/password-reset/done/' }
  }),
]
