import { unauthenticated } from '@figbase/kit/errors'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Endpoint } from '../../endpoint.js'
import { readCookie } from '../../http/cookies.js'
import { requireOwnOrigin } from '../form.js'

/**
 * A short access token for the session of the browser, with which the reference sends requests. Only pages of this site
 * can ask for it.
 */
export const referenceToken: Endpoint = {
  method: 'POST',
  path: '/docs/api/token/',
  since: 'v1',
  auth: 'none',
  idempotent: false,
  summary: 'An access token for the session of the browser',
  responses: {},
  async handle({ headers, cfg, services, call }) {
    requireOwnOrigin(headers, cfg.publicUrl)
    const token = readCookie(headers, 'session', cfg)
    if (!token) throw unauthenticated('not_authenticated', 'sign in first')
    const { access, lifeSeconds } = await services.signIn.issueSessionToken(
      { token },
      { ...call, ...actAsSystem() },
    )
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { access, expires_in_seconds: lifeSeconds },
    }
  },
}
