import { html } from '@figbase/kit/text'
import { z } from 'zod'
import { type Input, type Reply, type Route, route } from '../../endpoint.js'
import type { ErrorAnswer } from '../../http/errors.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { pageReply } from '../page.js'
import { signInPath } from './next.js'

type Query = Record<string, string>

/** Declares a step of the sign-in with an identity provider, which redirects the browser. */
export const redirect = (
  path: string,
  step: (input: Input<unknown, Query>) => Promise<{ to: string; cookies: string[] }>,
): Route => ({
  ...route({
    method: 'GET',
    path,
    since: 'v1',
    auth: 'none',
    query: z.record(z.string(), z.string()),
    async handle(input): Promise<Reply> {
      const { to, cookies } = await step(input)
      const headers = { location: to, 'cache-control': 'no-store' }
      return { status: 303, headers, cookies, empty: true }
    },
  }),
  errorReply,
})

function errorReply({ status, body }: ErrorAnswer, request: Pick<Input, 'headers'>): Reply {
  const { t } = textsOf(request)
  const title = t('signIn.failed')
  const content = html`<h1>${title}</h1><p>${t(reasons[body.error] ?? 'signIn.failedForUnknownReason')}</p>
<p><a href="${signInPath}">${t('signIn.again')}</a></p>`
  return pageReply(status, { title, content })
}

const reasons: Record<string, MessageKey> = {
  sign_in_expired: 'signIn.expired',
  sign_in_refused: 'signIn.refused',
  sign_up_disabled: 'signIn.noAccount',
  token_not_valid: 'signIn.inactive',
  identity_provider_unavailable: 'signIn.providerUnavailable',
  not_found: 'signIn.noProvider',
}
