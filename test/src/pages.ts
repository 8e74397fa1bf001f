import assert from 'node:assert/strict'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { deployment } from './deployment.js'
import { signUp, type TestUser } from './users.js'

export const at = (path: string): URL => new URL(path, deployment.origin)
export const ownOrigin = { origin: deployment.origin.origin }

/** A browser without script in which the user has signed in with the password. */
export async function signInAt(
  path: string,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<{ browser: Browser; page: BrowserPage }> {
  const browser = createBrowser()
  const form = await browser.visit(at(path))
  assert.equal(form.url.pathname, '/sign-in/')
  const page = await browser.submit(form, { username, password })
  assert.equal(page.url.pathname + page.url.search, path)
  return { browser, page }
}

export const formTokenIn = ({ text }: BrowserPage): string =>
  /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Checks that a form is refused from another site, without a token and with that of another session. */
export async function expectProtected(
  { browser, page }: { browser: Browser; page: BrowserPage },
  path: string,
  values: Record<string, string> = {},
): Promise<void> {
  const token = formTokenIn(page)
  assert.ok(token)
  const other = await signInAt('/account/', await signUp())
  const send = (form_token: string, headers: Record<string, string>, who = browser) => {
    const body = new URLSearchParams({ form_token, ...values })
    return who.send(at(path), { method: 'POST', body, headers })
  }
  for (const [sent, headers] of [
    [token, { origin: 'https://evil.example' }],
    [token, { ...ownOrigin, 'sec-fetch-site': 'cross-site' }],
    [token, {}],
    ['', ownOrigin],
    [formTokenIn(other.page), ownOrigin],
  ] as [string, Record<string, string>][]) {
    const { status } = await send(sent, headers)
    assert.equal(status, 403, `${path} ${sent} ${JSON.stringify(headers)}`)
  }
  const anonymous = await send(token, ownOrigin, createBrowser())
  assert.equal(anonymous.status, 303, path)
  assert.match(anonymous.headers.get('location') ?? '', /^\/sign-in\//)
}
