import { html } from '@figbase/kit'
import type { Endpoint } from '../endpoint.js'
import { form } from './form.js'
import { fixedPage, type Page } from './page.js'
import { type Problem, problemNote, problemOf } from './problem.js'

/** A form, since what looks into mail for viruses follows links, too. */
const asking = (problem?: Problem): Page => ({
  title: 'Confirm your e-mail address',
  hasForm: true,
  content: html`<h1>Confirm your e-mail address</h1>
<p>You were sent here by a mail. Confirm that you got it, and that the account named in it is yours.</p>
${problemNote(problem)}
<form method="post"><button>Confirm the address</button></form>`,
})

const done: Page = {
  title: 'The address is confirmed',
  content: html`<h1>The address is confirmed</h1>
<p>Thank you. There is nothing more to do.</p>`,
}

export const verifyEmail: Endpoint[] = [
  fixedPage('/verify-email/done/', done),
  fixedPage('/verify-email/:token/', asking()),
  form('/verify-email/:token/', async ({ params, services, call }) => {
    const request = { token: params.token ?? '', username: '' }
    const problem = await problemOf(services.accounts.verifyEmail(request, call))
    if (problem) return { status: problem.status, page: asking(problem) }
    return { to: '/verify-email/done/' }
  }),
]
