import { Code, ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import type { Session } from '@figbase/proto/identity/sign-in'
import { z } from 'zod'
import type { Endpoint, Input } from '../../endpoint.js'
import { cookie, readCookie } from '../../http/cookies.js'
import { found } from '../../routes/found.js'
import { type Filled, form, type Outcome } from '../form.js'
import { page } from '../page.js'
import { pathOf, signInPath } from './next.js'
import { redirect } from './redirect.js'
import { signedInPage, signInPage } from './sign-in-page.js'

const flowLifeSeconds = 600

const showForm = page(
  signInPath,
  async (input) =>
    input.username ? signedInPage(input.username) : signInPage(input, { next: nextIn(input) }),
  { query: z.object({ next: z.string().optional() }) },
)

const takeForm = form(signInPath, withPassword)

/** A new session at each sign-in: one that somebody put into the browser before is of no use. */
async function withPassword(input: Input<Filled>): Promise<Outcome> {
  const { username = '', password = '', next } = input.body
  try {
    const { session } = await input.services.signIn.createSession(
      { username, password, userAgent: userAgentOf(input) },
      input.call,
    )
    return { to: pathOf(next), cookies: [sessionCookie(input, found(session))] }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    return { status: problem.status, page: await signInPage(input, { next, username, ...problem }) }
  }
}

function problemOf(error: unknown) {
  if (!(error instanceof ConnectError)) return undefined
  if (error.code === Code.Unauthenticated) {
    return { status: 401, problem: 'No active account has this username and password.' }
  }
  if (error.code === Code.ResourceExhausted) {
    return { status: 429, problem: 'Too many attempts: wait a minute, and try again.' }
  }
  return undefined
}

const toProvider = redirect('/sign-in/sso/', async (input) => {
  const request = { redirectUri: `${siteOf(input)}/sign-in/callback/`, next: pathOf(nextIn(input)) }
  const { authorizationUrl, flow } = await input.services.signIn.beginSignIn(request, input.call)
  return { to: authorizationUrl, cookies: [cookie('sign-in', input.cfg, flow, flowLifeSeconds)] }
})

/** Only the browser that was sent to the provider can come back from there. */
const fromProvider = redirect('/sign-in/callback/', async (input) => {
  const flow = readCookie(input.headers, 'sign-in', input.cfg) ?? ''
  const query = new URLSearchParams(input.query).toString()
  const { session, next } = await input.services.signIn.finishSignIn(
    { flow, query, userAgent: userAgentOf(input) },
    input.call,
  )
  const cookies = [sessionCookie(input, found(session)), cookie('sign-in', input.cfg)]
  return { to: pathOf(next), cookies }
})

const signOut = form('/sign-out/', async ({ headers, services, call, cfg }) => {
  const token = readCookie(headers, 'session', cfg)
  if (token) {
    await services.signIn.endSession({ token }, call).catch((error: unknown) => {
      // It had ended before.
      if (!(error instanceof ConnectError && error.code === Code.Unauthenticated)) throw error
    })
  }
  return { to: signInPath, cookies: [cookie('session', cfg)] }
})

function sessionCookie({ cfg }: Input, { token, expiresOn }: Session) {
  const lifeSeconds = Number(expiresOn?.seconds ?? 0) - Math.floor(Date.now() / 1000)
  return cookie('session', cfg, token, lifeSeconds)
}

const userAgentOf = ({ headers }: Input) => headers['user-agent'] ?? ''

const nextIn = ({ query }: Input) => (query as { next?: string }).next

/** As the browser knows this site. The provider has a list of the addresses that it sends people back to. */
function siteOf({ cfg, headers }: Input) {
  if (cfg.publicUrl) return cfg.publicUrl
  const site = `http://${headers.host ?? ''}`
  if (!URL.canParse(site)) throw invalid('Host', 'is not valid')
  return new URL(site).origin
}

export const signInPages: Endpoint[] = [showForm, takeForm, toProvider, fromProvider, signOut]
