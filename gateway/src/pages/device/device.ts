import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { userForm } from '../form.js'
import { problemOf, tried } from '../form-problem.js'
import { fixedPage, type Page, userPage } from '../page.js'
import { allowedPage, codePage, decisionPage, refusedPage } from './device-page.js'

const path = '/device/'

/** The user of a command without a browser allows its login here. */
const showLogin = userPage(
  path,
  async (input) => {
    const { code } = input.query as { code?: string }
    return code === undefined ? codePage(textsOf(input)) : loginPage(input, code)
  },
  { query: z.object({ code: z.string().optional() }) },
)

async function loginPage(input: Input, userCode: string): Promise<Page> {
  const { deviceLogin } = input.services
  const login = await tried(deviceLogin.getDeviceLogin({ userCode }, input.call))
  return login.problem
    ? codePage(textsOf(input), login.problem, userCode)
    : decisionPage(input, userCode, login.value)
}

const decide = userForm(path, async (input) => {
  const { body, services, call } = input
  const { code: userCode = '', decision } = body
  const allow = decision === 'allow'
  const problem = await problemOf(services.deviceLogin.decideDeviceLogin({ userCode, allow }, call))
  if (problem) {
    return { status: problem.status, page: codePage(textsOf(input), problem, userCode) }
  }
  return { to: allow ? `${path}allowed/` : `${path}refused/` }
})

export const devicePages: Route[] = [
  showLogin,
  decide,
  fixedPage(`${path}allowed/`, allowedPage),
  fixedPage(`${path}refused/`, refusedPage),
]
