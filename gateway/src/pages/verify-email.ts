import { html } from '@figbase/kit/text'
import type { Route } from '../endpoint.js'
import { form } from './form.js'
import { type Problem, problemNote, problemOf } from './form-problem.js'
import { fixedPage, type Page } from './page.js'

/** Needs a click on a button, because virus scanners follow the links in mails. */
const confirmPage = (problem?: Problem): Page => ({
  title: 'Confirm your e-mail address',
  hasForm: true,
  content: html`<h1>Confirm your e-mail address</h1>
<p>You followed a link in an e-mail. Please confirm that the account named in it is yours.</p>
${problemNote(problem)}
<form method="post"><button>Confirm</button></form>`,
})

const donePage: Page = {
  title: 'E-mail address confirmed',
  content: html`<h1>E-mail address confirmed</h1>
<p>Thank you. You can close this page.</p>`,
}

export const verifyEmail: Route[] = [
  fixedPage('/verify-email/done/', donePage),
  fixedPage('/verify-email/:token/', confirmPage()),
  form('/verify-email/:token/', async ({ params, services, call }) => {
    const request = { token: params.token ?? '', username: '' }
    const problem = await problemOf(services.accounts.verifyEmail(request, call))
    if (problem) return { status: problem.status, page: confirmPage(problem) }
    return { to: '/verify-email/done/' }
  }),
]
