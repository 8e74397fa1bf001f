import { Code, ConnectError } from '@connectrpc/connect'
import type { Input, Route } from '../../endpoint.js'
import { cookie, readCookie } from '../../http/cookies.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { required } from '../../required.js'
import { type MessageKey, mailLanguageOf, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, form } from '../form.js'
import { page } from '../page.js'
import { nextIn, nextQuery, pathOf, signInPath } from './next.js'
import { redirect } from './redirect.js'
import { newSession, sessionCookie, userAgentOf } from './session.js'
import { signedInPage, signInPage } from './sign-in-page.js'

const flowLifeSeconds = 600

const signInForm = page(
  signInPath,
  async (input) =>
    input.username
      ? signedInPage(textsOf(input), input.username)
      : signInPage(input, { next: nextIn(input) }),
  nextQuery,
)

const submitSignIn = form(signInPath, withPassword)

/** Creates a new session at each sign-in, which prevents session fixation. */
async function withPassword(input: Input<FormValues>): Promise<FormResult> {
  const { username = '', password = '', next } = input.body
  try {
    const cookies = [await newSession(input, { username, password })]
    return { to: pathOf(next), cookies }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    const values = { next, username, problem: textsOf(input).t(problem.message) }
    return { status: problem.status, page: await signInPage(input, values) }
  }
}

function problemOf(error: unknown): { status: number; message: MessageKey } | undefined {
  if (!(error instanceof ConnectError)) return undefined
  if (error.code === Code.Unauthenticated) {
    return { status: 401, message: 'signIn.wrong' }
  }
  if (error.code === Code.ResourceExhausted) {
    return { status: 429, message: 'signIn.tooMany' }
  }
  return undefined
}

const redirectToProvider = redirect('/sign-in/sso/', async (input) => {
  const request = {
    redirectUri: `${siteOriginOf(input)}/sign-in/callback/`,
    next: pathOf(nextIn(input)),
  }
  const { authorizationUrl, flow } = await input.services.signIn.beginSignIn(request, input.call)
  return { to: authorizationUrl, cookies: [cookie('sign-in', input.cfg, flow, flowLifeSeconds)] }
})

/** The `sign-in` cookie ensures that this is the browser that started the sign-in. */
const providerCallback = redirect('/sign-in/callback/', async (input) => {
  const flow = readCookie(input.headers, 'sign-in', input.cfg) ?? ''
  const query = new URLSearchParams(input.query).toString()
  const { session, next } = await input.services.signIn.finishSignIn(
    { flow, query, userAgent: userAgentOf(input), mailLanguage: mailLanguageOf(input) },
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

export const signInPages: Route[] = [
  signInForm,
  submitSignIn,
  redirectToProvider,
  providerCallback,
  signOut,
]
