import { html } from '@figbase/kit/text'
import { z } from 'zod'
import { type Input, type Reply, type Route, route } from '../../endpoint.js'
import type { ErrorAnswer } from '../../http/errors.js'
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

function errorReply({ status, body }: ErrorAnswer): Reply {
  const why = reasons[body.error] ?? 'The sign-in failed.'
  const title = 'Sign-in failed'
  const content = html`<h1>${title}</h1><p>${why}</p><p><a href="${signInPath}">Try again</a></p>`
  return pageReply(status, { title, content })
}

const reasons: Record<string, string> = {
  sign_in_expired: 'This sign-in was started in another browser, or it has expired.',
  sign_in_refused: 'The identity provider rejected the sign-in.',
  sign_up_disabled: 'You do not have an account yet, and only administrators can create accounts.',
  token_not_valid: 'Your account is inactive.',
  identity_provider_unavailable:
    'The identity provider is unavailable. Please try again in a moment.',
  not_found: 'This site has no identity provider.',
}
