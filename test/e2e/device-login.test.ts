import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { type ApiKey, newApiKey } from '../src/api-keys.js'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { signUp, type TestUser } from '../src/users.js'

interface DeviceLogin {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

const at = (path: string) => new URL(path, deployment.origin)
const origin = { origin: deployment.origin.origin }
let alice: TestUser

before(async () => {
  alice = await signUp()
})

async function begin(body: object = { name: 'figbase on laptop' }): Promise<DeviceLogin> {
  return (await client().post<DeviceLogin>('/api/token/device/', body, 200)).body
}

const poll = <T>({ device_code }: DeviceLogin, status: number) =>
  client().post<T>('/api/token/device/key/', { device_code }, status)

async function expectRefusal(login: DeviceLogin, error: string): Promise<void> {
  assert.equal((await poll<Refusal>(login, 400)).body.error, error)
}

/** Follows the link of the command, and signs in. */
async function openLink(
  login: DeviceLogin,
  { username, password }: TestUser = alice,
): Promise<{ browser: Browser; page: BrowserPage }> {
  const browser = createBrowser()
  const form = await browser.visit(login.verification_uri_complete)
  assert.equal(form.url.pathname, '/sign-in/')
  return { browser, page: await browser.submit(form, { username, password }) }
}

const decide = (browser: Browser, page: BrowserPage, decision: string) =>
  browser.submit(page, { decision })

test('a command gets an API key after its user allowed the login on the page', async () => {
  const login = await begin({ name: 'figbase on <b>laptop</b>', access: 'publish' })
  assert.equal(login.verification_uri, at('/device/').href)
  assert.equal(login.expires_in, 600)
  await expectRefusal(login, 'authorization_pending')
  const { browser, page } = await openLink(login)
  assert.equal(page.url.href, login.verification_uri_complete)
  assert.match(page.text, /<bdi>figbase on &lt;b&gt;laptop&lt;\/b&gt;<\/bdi>/)
  assert.match(page.text, new RegExp(`as <bdi>${alice.username}</bdi>`))
  assert.match(page.text, /read everything that you may view, and to create and change/)
  assert.match(page.text, new RegExp(`code <strong>${login.user_code}</strong>`))
  const done = await decide(browser, page, 'allow')
  assert.match(done.text, /return to your terminal/)

  const { body: key } = await poll<ApiKey & { token: string; user: string; access: string }>(
    login,
    200,
  )
  assert.deepEqual(
    [key.name, key.user, key.access],
    ['figbase on <b>laptop</b>', alice.username, 'publish'],
  )
  const { body: users } = await client(LATEST, `Token ${key.token}`).get<{ username: string }[]>(
    'user/',
  )
  assert.equal(users[0]?.username, alice.username)
  await expectRefusal(login, 'expired_token')
  assert.match((await browser.visit(login.verification_uri_complete)).text, /This code is unknown/)
})

test('the code may be typed, in lower case and without its hyphen', async () => {
  const login = await begin()
  const { browser } = await openLink(await begin())
  const empty = await browser.visit(login.verification_uri)
  assert.match(empty.text, /Enter the code/)
  const typed = login.user_code.toLowerCase().replace('-', '')
  const page = await browser.visit(at(`/device/?code=${typed}`))
  await decide(browser, page, 'allow')
  await poll(login, 200)
})

test('a refused login gives no key', async () => {
  const login = await begin()
  const { browser, page } = await openLink(login)
  assert.match((await decide(browser, page, 'refuse')).text, /got no access/)
  await expectRefusal(login, 'access_denied')
})

test('a wrong code is an error on the page', async () => {
  const { browser } = await openLink(await begin())
  const page = await browser.visit(at('/device/?code=<script>'))
  assert.equal(page.status, 400)
  assert.match(page.text, /role="alert">This code is unknown/)
  assert.match(page.text, /value="&lt;script&gt;"/)
})

test('other sites and other sessions cannot allow a login', async () => {
  const login = await begin()
  const { browser, page } = await openLink(login)
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.ok(token)
  const mallory = await openLink(await begin(), await signUp())
  const foreign = /name="form_token" value="([^"]+)"/.exec(mallory.page.text)?.[1] ?? ''
  const send = (form_token: string, headers: Record<string, string>, who = browser) => {
    const body = new URLSearchParams({ form_token, code: login.user_code, decision: 'allow' })
    return who.send(at('/device/'), { method: 'POST', body, headers })
  }
  for (const [sent, headers] of [
    [token, { origin: 'https://evil.example' }],
    [token, { ...origin, 'sec-fetch-site': 'cross-site' }],
    [token, {}],
    ['', origin],
    [foreign, origin],
  ] as [string, Record<string, string>][]) {
    assert.equal((await send(sent, headers)).status, 403, `${sent} ${JSON.stringify(headers)}`)
  }
  const anonymous = await send(token, origin, createBrowser())
  assert.equal(anonymous.status, 303, 'to the sign-in page')
  assert.match(anonymous.headers.get('location') ?? '', /^\/sign-in\//)
  await expectRefusal(login, 'authorization_pending')
  assert.equal((await send(token, origin)).status, 303)
  await poll(login, 200)
})

test('keys and access tokens cannot allow a login', async () => {
  const { user_code } = await begin()
  const { token } = await newApiKey(alice.api)
  for (const authorization of [`Token ${token}`, `Bearer ${alice.tokens.access}`]) {
    const body = new URLSearchParams({ code: user_code, decision: 'allow' })
    const headers = { ...origin, authorization }
    const answer = await fetch(at('/device/'), { method: 'POST', body, headers })
    assert.equal(answer.status, 403)
  }
})

test('bodies are checked', async () => {
  for (const [path, body, field] of [
    ['/api/token/device/', {}, 'name'],
    ['/api/token/device/', { name: 'x'.repeat(101) }, 'name'],
    ['/api/token/device/', { name: 'x', access: 'all' }, 'access'],
    ['/api/token/device/key/', {}, 'device_code'],
    ['/api/token/device/key/', { device_code: 1 }, 'device_code'],
  ] as const) {
    const { body: refusal } = await client().post<Refusal>(path, body, 400)
    assert.equal(refusal.errors?.[0]?.field, field)
  }
})
