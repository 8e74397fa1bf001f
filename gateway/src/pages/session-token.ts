import { unauthenticated } from '@figbase/kit/errors'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Route } from '../endpoint.js'
import { readCookie } from '../http/cookies.js'
import { requireOwnOrigin } from './form.js'

/**
 * A short access token for the session of the browser, with which scripts of pages send requests to the API. Only pages
 * of this site can ask for it.
 */
export const sessionToken: Route = {
  method: 'POST',
  path: '/session/token/',
  since: 'v1',
  auth: 'none',
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
