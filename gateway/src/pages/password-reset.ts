import { html } from '@figbase/kit'
import type { Endpoint } from '../endpoint.js'
import { form } from './form.js'
import { fixedPage, type Page } from './page.js'
import { type Problem, problemNote, problemOf } from './problem.js'

const asking = (problem?: Problem, email = ''): Page => ({
  title: 'Choose a new password',
  hasForm: true,
  content: html`<h1>Choose a new password</h1>
<p>Did you forget it? You get a mail with a link by which you can choose another one.</p>
${problemNote(problem)}
<form method="post">
<label>E-mail address <input type="email" name="email" value="${email}" autocomplete="email" required></label>
<button>Send the mail</button>
</form>`,
})

const sent: Page = {
  title: 'Look into your mail',
  content: html`<h1>Look into your mail</h1>
<p>If there is an account with this address, a mail is on its way to it. The link in it works once, and
not for long.</p>
<p>Nothing came? Look among unwanted mail, and whether the address is the one of your account.</p>`,
}

const choosing = (problem?: Problem): Page => ({
  title: 'Choose a new password',
  hasForm: true,
  content: html`<h1>Choose a new password</h1>
<p>It needs 8 characters or more. Whoever is signed in to the account must sign in again.</p>
${problemNote(problem)}
<form method="post">
<label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required></label>
<button>Change the password</button>
</form>
<p class="quiet">The link does not work any more? <a href="/password-reset/">Ask for another mail</a>.</p>`,
})

const done: Page = {
  title: 'The password is changed',
  content: html`<h1>The password is changed</h1>
<p>Sign in with it from now on. API keys go on working.</p>`,
}

export const passwordReset: Endpoint[] = [
  fixedPage('/password-reset/', asking()),
  form('/password-reset/', async ({ body, services, call }) => {
    const { email = '' } = body
    const problem = await problemOf(services.accounts.requestPasswordReset({ email }, call))
    if (problem) return { status: problem.status, page: asking(problem, email) }
    return { to: '/password-reset/sent/' }
  }),
  fixedPage('/password-reset/sent/', sent),
  fixedPage('/password-reset/done/', done),
  fixedPage('/password-reset/:token/', choosing()),
  form('/password-reset/:token/', async ({ params, body, services, call }) => {
    const request = { token: params.token ?? '', password: body.password ?? '' }
    const problem = await problemOf(services.accounts.resetPassword(request, call))
    if (problem) return { status: problem.status, page: choosing(problem) }
    return { to: '/password-reset/done/' }
  }),
]
