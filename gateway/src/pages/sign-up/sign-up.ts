import type { Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { mailLanguageOf, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, form } from '../form.js'
import { tried } from '../form-problem.js'
import { type Page, page } from '../page.js'
import { nextIn, nextQuery, pathOf } from '../sign-in/next.js'
import { newSession, userAgentOf } from '../sign-in/session.js'
import { signedInPage } from '../sign-in/sign-in-page.js'
import { isSignUpOpen, signUpPath } from './open.js'
import { closedPage, signUpForm } from './sign-up-page.js'

const show = page(
  signUpPath,
  async (input): Promise<Page> => {
    if (input.username) return signedInPage(textsOf(input), input.username)
    if (!(await isSignUpOpen(input))) return closedPage(textsOf(input))
    return signUpForm(textsOf(input), { next: pathOf(nextIn(input)) })
  },
  nextQuery,
)

const submit = form(signUpPath, async (input): Promise<FormResult> => {
  const { body, services, call } = input
  const next = pathOf(body.next)
  const { username = '', password = '' } = body
  const request = {
    ...userIn(body),
    userAgent: userAgentOf(input),
    mailLanguage: mailLanguageOf(input),
  }
  const made = await tried(services.identity.createUser(request, call))
  if (made.problem) {
    const { problem } = made
    const values = { ...body, next }
    return { status: problem.status, page: signUpForm(textsOf(input), values, problem) }
  }
  const { refresh } = required(made.value.tokens)
  const [cookie] = await Promise.all([
    newSession(input, { username, password }),
    // A browser has a session, and needs no token.
    services.identity.revokeToken({ refresh }, call),
  ])
  return { to: next, cookies: [cookie] }
})

const userIn = (body: FormValues) => ({
  username: body.username ?? '',
  password: body.password ?? '',
  email: body.email ?? '',
  firstName: body.first_name ?? '',
  lastName: body.last_name ?? '',
})

export const signUpPages: Route[] = [show, submit]
