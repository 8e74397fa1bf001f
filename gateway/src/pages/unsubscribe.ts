import { html } from '@figbase/kit/text'
import { z } from 'zod'
import { type Route, route } from '../endpoint.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { type Problem, problemNote, problemOf } from './form-problem.js'
import { errorReply, fixedPage, type Page, pageReply } from './page.js'

const path = '/unsubscribe/:token/'

/** Needs a click on a button, because virus scanners follow the links in mails. */
const confirmPage = ({ t }: Texts, problem?: Problem): Page => ({
  title: t('unsubscribe.title'),
  hasForm: true,
  content: html`<h1>${t('unsubscribe.title')}</h1>
<p>${t('unsubscribe.question')}</p>
${problemNote(t, problem)}
<form method="post"><button>${t('unsubscribe.confirm')}</button></form>
<p><a href="/account/notifications/">${t('unsubscribe.settings')}</a></p>`,
})

const donePage = ({ t }: Texts): Page => ({
  title: t('unsubscribe.done'),
  content: html`<h1>${t('unsubscribe.done')}</h1>
<p><a href="/account/notifications/">${t('unsubscribe.settings')}</a></p>`,
})

/**
 * Also accepts the POST of a mail program (RFC 8058), which comes from no page of this site, as a form with or without
 * files. The token is all that it needs.
 */
const submit: Route = {
  ...route({
    method: 'POST',
    path,
    since: 'v1',
    auth: 'none',
    acceptsForm: true,
    acceptsFiles: true,
    isBodyOptional: true,
    body: z.record(z.string(), z.unknown()),
    async handle(input) {
      const { params, services, call } = input
      const texts = textsOf(input)
      const request = { token: params.token ?? '' }
      const problem = await problemOf(services.notifications.unsubscribe(request, call))
      if (problem) return pageReply(problem.status, confirmPage(texts, problem))
      return pageReply(200, donePage(texts))
    },
  }),
  errorReply,
}

export const unsubscribePages: Route[] = [fixedPage(path, confirmPage), submit]
