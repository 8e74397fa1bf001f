import { html } from '@figbase/kit'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, type Reply } from '../../endpoint.js'
import type { ErrorAnswer } from '../../http/errors.js'
import { pageReply } from '../page.js'
import { signInPath } from './next.js'

type Query = Record<string, string>

/** A step of a sign-in, which sends the browser on. */
export const redirect = (
  path: string,
  step: (input: Input<unknown, Query>) => Promise<{ to: string; cookies: string[] }>,
): Endpoint => ({
  ...endpoint({
    method: 'GET',
    path,
    since: 'v1',
    auth: 'none',
    idempotent: false,
    summary: 'A step of a sign-in with the identity provider',
    query: z.record(z.string(), z.string()),
    responses: {},
    async handle(input): Promise<Reply> {
      const { to, cookies } = await step(input)
      const headers = { location: to, 'cache-control': 'no-store' }
      return { status: 303, headers, cookies, empty: true }
    },
  }),
  refusal,
})

function refusal({ status, body }: ErrorAnswer): Reply {
  const why = reasons[body.error] ?? 'Something went wrong on the way.'
  const title = 'You are not signed in'
  const content = html`<h1>${title}</h1><p>${why}</p><p><a href="${signInPath}">Sign in again</a></p>`
  return pageReply(status, { title, content })
}

const reasons: Record<string, string> = {
  sign_in_expired: 'This sign-in was not begun in this browser, or too long ago.',
  sign_in_refused: 'The identity provider did not sign you in.',
  sign_up_disabled: 'You have no account here yet, and only staff may create accounts.',
  token_not_valid: 'Your account here is not active.',
  identity_provider_unavailable: 'The identity provider does not answer. Try again in a moment.',
  not_found: 'There is no identity provider here.',
}
