import { Code, ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import type { Session } from '@figbase/proto/identity/sign-in'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { cookie, readCookie } from '../../http/cookies.js'
import { required } from '../../required.js'
import { type FormResult, type FormValues, form } from '../form.js'
import { page } from '../page.js'
import { pathOf, signInPath } from './next.js'
import { redirect } from './redirect.js'
import { signedInPage, signInPage } from './sign-in-page.js'

const flowLifeSeconds = 600

const signInForm = page(
  signInPath,
  async (input) =>
    input.username ? signedInPage(input.username) : signInPage(input, { next: nextIn(input) }),
  { query: z.object({ next: z.string().optional() }) },
)

const submitSignIn = form(signInPath, withPassword)

/** Creates a new session at each sign-in, which prevents session fixation. */
async function withPassword(input: Input<FormValues>): Promise<FormResult> {
  const { username = '', password = '', next } = input.body
  try {
    const { session } = await input.services.signIn.createSession(
      { username, password, userAgent: userAgentOf(input) },
      input.call,
    )
    return { to: pathOf(next), cookies: [sessionCookie(input, required(session))] }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    return { status: problem.status, page: await signInPage(input, { next, username, ...problem }) }
  }
}

function problemOf(error: unknown) {
  if (!(error instanceof ConnectError)) return undefined
  if (error.code === Code.Unauthenticated) {
    return { status: 401, problem: 'Wrong username or password, or the account is inactive.' }
  }
  if (error.code === Code.ResourceExhausted) {
    return { status: 429, problem: 'Too many attempts. Please wait a minute and try again.' }
  }
  return undefined
}

const redirectToProvider = redirect('/sign-in/sso/', async (input) => {
  const request = { redirectUri: `${siteOf(input)}/sign-in/callback/`, next: pathOf(nextIn(input)) }
  const { authorizationUrl, flow } = await input.services.signIn.beginSignIn(request, input.call)
  return { to: authorizationUrl, cookies: [cookie('sign-in', input.cfg, flow, flowLifeSeconds)] }
})

/** The `sign-in` cookie ensures that this is the browser that started the sign-in. */
const providerCallback = redirect('/sign-in/callback/', async (input) => {
  const flow = readCookie(input.headers, 'sign-in', input.cfg) ?? ''
  const query = new URLSearchParams(input.query).toString()
  const { session, next } = await input.services.signIn.finishSignIn(
    { flow, query, userAgent: userAgentOf(input) },
    input.call,
  )
  const cookies = [sessionCookie(input, required(session)), cookie('sign-in', input.cfg)]
  return { to: pathOf(next), cookies }
})

const signOut = form('/sign-out/', async ({ headers, services, call, cfg }) => {
  const token = readCookie(headers, 'session', cfg)
  if (token) {
    await services.signIn.endSession({ token }, call).catch((error: unknown) => {
      // The session had already ended.
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

/** The origin of this site for the redirect URI, which must be registered with the provider. */
function siteOf({ cfg, headers }: Input) {
  if (cfg.publicUrl) return cfg.publicUrl
  const site = `http://${headers.host ?? ''}`
  if (!URL.canParse(site)) throw invalid('Host', 'is not valid')
  return new URL(site).origin
}

export const signInPages: Route[] = [
  signInForm,
  submitSignIn,
  redirectToProvider,
  providerCallback,
  signOut,
]
