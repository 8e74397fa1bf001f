import { html } from '@figbase/kit/text'
import type { Route } from '../endpoint.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { form } from './form.js'
import { type Problem, problemNote, problemOf } from './form-problem.js'
import { fixedPage, type Page } from './page.js'

/** Needs a click on a button, because virus scanners follow the links in mails. */
const confirmPage = ({ t }: Texts, problem?: Problem): Page => ({
  title: t('verifyEmail.title'),
  hasForm: true,
  content: html`<h1>${t('verifyEmail.title')}</h1>
<p>${t('verifyEmail.question')}</p>
${problemNote(t, problem)}
<form method="post"><button>${t('verifyEmail.confirm')}</button></form>`,
})

const donePage = ({ t }: Texts): Page => ({
  title: t('verifyEmail.done'),
  content: html`<h1>${t('verifyEmail.done')}</h1>
<p>${t('verifyEmail.thanks')}</p>`,
})

export const verifyEmail: Route[] = [
  fixedPage('/verify-email/done/', donePage),
  fixedPage('/verify-email/:token/', confirmPage),
  form('/verify-email/:token/', async (input) => {
    const { params, services, call } = input
    const request = { token: params.token ?? '', username: '' }
    const problem = await problemOf(services.accounts.verifyEmail(request, call))
    if (problem) return { status: problem.status, page: confirmPage(textsOf(input), problem) }
    return { to: '/verify-email/done/' }
  }),
]
