import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { type Answer, client, either, messageOf, type Refusal } from '../src/client.js'
import { deployment, LATEST, VERSIONS } from '../src/deployment.js'
import { at } from '../src/publish.js'
import type { Tokens, User, Workspace } from '../src/resources.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
const anybody = client()

before(async () => {
  alice = await signUp()
  bob = await signUp()
})

test('sign-up returns the user and valid tokens, without the password', async () => {
  const user = newUser()
  const { body, text } = await anybody.post<User & { auth: Tokens }>('user/', user)
  assert.equal(body.username, user.username)
  assert.equal(body.email, user.email)
  assert.equal(body.first_name, user.first_name)
  assert.equal(body.last_name, user.last_name)
  assert.equal(body.is_staff, false)
  assert.equal(body.using_auth0, false)
  assert.ok(!text.includes(user.password), 'the password should not come back')
  const me = client(LATEST, `Bearer ${body.auth.access}`)
  assert.equal(at((await me.get<User[]>('user/')).body, 0).username, user.username)
  const refreshed = await anybody.post<Tokens>(
    '/api/token/refresh/',
    { refresh: body.auth.refresh },
    200,
  )
  assert.equal(typeof refreshed.body.access, 'string')
})

test('a new user owns one workspace, the primary one, with its name and description', async () => {
  const carol = await signUp()
  const { body } = await carol.api.get<Workspace[]>('workspace/')
  assert.equal(body.length, 1)
  const primary = at(body, 0)
  assert.equal(primary.workspace_type, 'primary')
  assert.match(primary.name, /primary/i)
  assert.match(primary.description ?? '', /primary/i)
  assert.equal(primary.created_by, carol.username)
  assert.equal(primary.size_bytes, 0)
  assert.equal(primary.organization, null)
})

test('rejects a taken username and does not change the existing account', async () => {
  const taken = { ...newUser(), username: alice.username }
  await anybody.post('user/', taken, 409)
  await anybody.post('/api/token/', { username: alice.username, password: taken.password }, 401)
  await anybody.post('/api/token/', credentialsOf(alice), 200)
})

test('eight concurrent sign-ups with one username create one user', async () => {
  const user = newUser()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => anybody.post('user/', user, either('one wins', 201, 409))),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const { body: tokens } = await anybody.post<Tokens>('/api/token/', credentialsOf(user), 200)
  const { body } = await client(LATEST, `Bearer ${tokens.access}`).get<Workspace[]>('workspace/')
  assert.equal(body.length, 1, 'one primary workspace')
})

for (const [field, value] of [
  ['username', undefined],
  ['username', ''],
  ['username', 5],
  ['username', 'with/slash'],
  ['username', 'nul\u0000'],
  ['username', 'u'.repeat(5000)],
  ['password', undefined],
  ['password', ''],
  ['password', ['a']],
  ['email', 7],
  ['first_name', { a: 1 }],
  ['last_name', 'nul\u0000'],
] as const) {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 24)
  test(`sign-up rejects ${shown} as ${field} and names the field`, async () => {
    const user = { ...newUser(), [field]: value }
    const answer = await anybody.post<Refusal>('user/', user, 400)
    assert.match(messageOf(answer), new RegExp(field))
    if (field !== 'username' && field !== 'password') {
      await anybody.post('/api/token/', credentialsOf(user), 401)
    }
  })
}

test('sign-up cannot create an administrator', async () => {
  const user = { ...newUser(), is_staff: true, is_superuser: true, email_confirmed: true }
  const { body } = await anybody.post<User>('user/', user)
  assert.equal(body.is_staff, false)
  assert.equal(body.email_confirmed, false)
})

for (const path of ['/api/token/', '/api/token']) {
  test(`${path} accepts the credentials as JSON and as a form`, async () => {
    const asJson = await anybody.post<Tokens>(path, credentialsOf(alice), 200)
    const asForm = await anybody.request<Tokens>('POST', path, form(credentialsOf(alice)))
    for (const { body } of [asJson, asForm]) {
      await client(LATEST, `Bearer ${body.access}`).get('user')
    }
  })
}

for (const path of ['/api/token/refresh/', '/api/token/refresh']) {
  test(`${path} accepts the token as JSON and as a form`, async () => {
    const { refresh } = alice.tokens
    const asJson = await anybody.post<Tokens>(path, { refresh }, 200)
    const asForm = await anybody.request<Tokens>('POST', path, form({ refresh }))
    for (const { body } of [asJson, asForm]) {
      await client(LATEST, `Bearer ${body.access}`).get('user')
    }
  })
}

test('accepts remember_me in JSON and in a form', async () => {
  const credentials = credentialsOf(alice)
  await anybody.post('/api/token/', { ...credentials, remember_me: true }, 200)
  const asForm = { ...credentials, remember_me: 'true' }
  await anybody.request('POST', '/api/token/', form(asForm))
})

test('sends the same 401 for a wrong password and an unknown user', async () => {
  const { username } = alice
  const wrong = await anybody.post<Refusal>('/api/token/', { username, password: 'no' }, 401)
  const unknown = await anybody.post<Refusal>('/api/token/', credentialsOf(newUser()), 401)
  assert.deepEqual(withoutId(unknown), withoutId(wrong))
  assert.notEqual(wrong.body.code, 'token_not_valid')
})

test('wrong passwords do not lock the account', async () => {
  const { username, password } = alice
  for (let i = 0; i < 6; i++) await anybody.post('/api/token/', { username, password: 'no' }, 401)
  await anybody.post('/api/token/', { username, password }, 200)
})

for (const [what, body] of [
  ['no username', { password: 'x' }],
  ['no password', { username: 'x' }],
  ['a number as password', { username: 'x', password: 5 }],
  ['U+0000 in the username', { username: 'x\u0000', password: 'x' }],
] as const) {
  test(`rejects credentials with ${what}`, async () => {
    await anybody.post('/api/token/', body, 400)
  })
}

for (const [what, token] of [
  ['garbage', () => 'garbage'],
  ['an access token', () => alice.tokens.access],
  ['a tampered token', () => tampered(alice.tokens.refresh)],
] as const) {
  test(`rejects ${what} as refresh token`, async () => {
    await anybody.post('/api/token/refresh/', { refresh: token() }, 401)
  })
}

test('rejects a refresh without a token', async () => {
  await anybody.post('/api/token/refresh/', {}, 400)
  await anybody.post('/api/token/refresh/', { refresh: 5 }, 400)
})

for (const [what, token] of [
  ['garbage', () => 'garbage'],
  ['three parts of garbage', () => 'a.b.c'],
  ['a tampered token', () => tampered(alice.tokens.access)],
  ['a token without a signature', () => unsigned(alice.tokens.access)],
  ['a refresh token', () => alice.tokens.refresh],
] as const) {
  test(`sends 401 token_not_valid for ${what} as bearer token`, async () => {
    const { body } = await client(LATEST, `Bearer ${token()}`).get<Refusal>('workspace/', 401)
    assert.equal(body.code, 'token_not_valid')
  })
}

test('sends 401 not_authenticated without credentials, in every version', async () => {
  for (const version of VERSIONS) {
    for (const path of ['workspace/', 'user/', `user/${alice.username}/`, 'bootstrap/']) {
      const { body } = await client(version).get<Refusal>(path, 401)
      assert.equal(body.code, 'not_authenticated', `${version} ${path}`)
    }
  }
})

for (const authorization of [
  'Token nonsense',
  'Token ',
  'Token a.b.c',
  'Basic YTpi',
  'Bearer',
  'Nonsense',
]) {
  test(`sends 401 for "${authorization}"`, async () => {
    const { body } = await client(LATEST, authorization).get<Refusal>('workspace/', 401)
    if (!authorization.startsWith('Bearer')) assert.notEqual(body.code, 'token_not_valid')
  })
}

test('GET user/ returns only the caller, in the form of GET user/{own name}/', async () => {
  for (const version of VERSIONS) {
    const me = alice.at(version)
    const { body: list } = await me.get<User[]>('user/')
    const { body: own } = await me.get<User>(`user/${alice.username}/`)
    assert.deepEqual(list, [own])
    assert.equal(own.is_active, true)
    assert.equal(typeof own.user_profile, 'object')
    assert.equal(typeof own.email_confirmed, 'boolean')
    assert.match(own.email ?? '', /@example\.org$/)
  }
})

test('hides the private fields of a user from others', async () => {
  const { body: listed } = await bob.api.get<User[]>(`user/?q=${alice.username}`)
  const { body: read } = await bob.api.get<User>(`user/${alice.username}/`)
  assert.equal(listed.length, 1)
  for (const seen of [read, ...listed]) {
    assert.equal(seen.username, alice.username)
    for (const field of ['email', 'user_profile', 'email_confirmed', 'is_active', 'is_staff']) {
      assert.ok(!(field in seen), `${field} should be hidden`)
    }
  }
  assert.equal(listed.length, 1, 'a search should find the user by name')
  assert.equal(read.first_name, 'Ada')
})

test('the search treats its text literally, not as a pattern', async () => {
  for (const q of ['%', '_', '%25', '*', `${alice.username.slice(0, 4)}%`, '\\']) {
    const { body } = await bob.api.get<User[]>(`user/?q=${encodeURIComponent(q)}`)
    assert.deepEqual(body, [], q)
  }
})

test('sends 404 for an unknown user, also for hostile names', async () => {
  await alice.api.get('user/nobody-of-that-name/', 404)
  for (const name of ['%00', '%27%20or%201=1--', '%F0%9F%98%80', '..%2f..%2fetc']) {
    await alice.api.get(`user/${name}/`, 404)
  }
})

test('bootstrap returns the user, workspaces, settings and the API version', async () => {
  for (const version of VERSIONS) {
    const me = alice.at(version)
    const { body } = await me.get<{
      user: User
      workspaces: Workspace[]
      settings: object
      info: { api_version: string }
    }>('bootstrap/')
    assert.deepEqual(body.user, (await me.get<User>(`user/${alice.username}/`)).body)
    const { body: workspaces } = await me.get<Workspace[]>('workspace/')
    assert.deepEqual(
      body.workspaces.map(({ api_id }) => api_id),
      workspaces.map(({ api_id }) => api_id),
    )
    assert.equal(typeof body.settings, 'object')
    assert.notEqual(body.settings, null)
    assert.equal(body.info.api_version, version)
  }
})

test('the administrator can sign in with the password of the first start', async (t) => {
  const { adminPasswordFile } = deployment
  if (!adminPasswordFile) return t.skip('FIGBASE_ADMIN_PASSWORD_FILE is not set')
  const password = readFileSync(adminPasswordFile, 'utf8').trim()
  const credentials = { username: 'admin', password }
  const { body } = await anybody.post<Tokens>('/api/token/', credentials, 200)
  const admin = client(LATEST, `Bearer ${body.access}`)
  assert.equal(at((await admin.get<User[]>('user/')).body, 0).is_staff, true)
})

function credentialsOf({ username, password }: { username: unknown; password: unknown }) {
  return { username, password }
}

function form(fields: Record<string, unknown>) {
  const raw = new URLSearchParams(fields as Record<string, string>).toString()
  return { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 200 }
}

/** Replaces the claims of a token, but keeps its header and signature. */
function tampered(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forged = { ...claims, exp: 4_102_444_800, sub: 'admin', username: 'admin' }
  return [header, encoded(forged), signature].join('.')
}

function unsigned(token: string): string {
  return [encoded({ alg: 'none', typ: 'JWT' }), token.split('.')[1], ''].join('.')
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function withoutId({ status, body }: Answer<Refusal>) {
  return { status, error: body.error, detail: body.detail, code: body.code }
}
