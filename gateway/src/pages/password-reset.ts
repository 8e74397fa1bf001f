import { html } from '@figbase/kit/text'
import type { Route } from '../endpoint.js'
import { form } from './form.js'
import { type Problem, problemNote, problemOf } from './form-problem.js'
import { fixedPage, type Page } from './page.js'

const requestPage = (problem?: Problem, email = ''): Page => ({
  title: 'Reset your password',
  hasForm: true,
  content: html`<h1>Reset your password</h1>
<p>Enter the e-mail address of your account. We will send you a link to choose a new password.</p>
${problemNote(problem)}
<form method="post">
<label>E-mail address <input type="email" name="email" value="${email}" autocomplete="email" required></label>
<button>Send the link</button>
</form>`,
})

const sentPage: Page = {
  title: 'Check your e-mail',
  content: html`<h1>Check your e-mail</h1>
<p>If there is an account with this address, we have sent an e-mail to it. The link in it works once, and
expires soon.</p>
<p>If you do not receive it, check your spam folder, and that this is the address of your account.</p>`,
}

const newPasswordPage = (problem?: Problem): Page => ({
  title: 'Choose a new password',
  hasForm: true,
  content: html`<h1>Choose a new password</h1>
<p>Use at least 8 characters. All devices that are signed in to the account will be signed out.</p>
${problemNote(problem)}
<form method="post">
<label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required></label>
<button>Change the password</button>
</form>
<p class="quiet">If the link has expired, <a href="/password-reset/">request a new one</a>.</p>`,
})

const donePage: Page = {
  title: 'Password changed',
  content: html`<h1>Password changed</h1>
<p>You can now sign in with your new password. Your API keys still work.</p>`,
}

export const passwordReset: Route[] = [
  fixedPage('/password-reset/', requestPage()),
  form('/password-reset/', async ({ body, services, call }) => {
    const { email = '' } = body
    const problem = await problemOf(services.accounts.requestPasswordReset({ email }, call))
    if (problem) return { status: problem.status, page: requestPage(problem, email) }
    return { to: '/password-reset/sent/' }
  }),
  fixedPage('/password-reset/sent/', sentPage),
  fixedPage('/password-reset/done/', donePage),
  fixedPage('/password-reset/:token/', newPasswordPage()),
  form('/password-reset/:token/', async ({ params, body, services, call }) => {
    const request = { token: params.token ?? '', password: body.password ?? '' }
    const problem = await problemOf(services.accounts.resetPassword(request, call))
    if (problem) return { status: problem.status, page: newPasswordPage(problem) }
    return { to: '/password-reset/done/' }
  }),
]
