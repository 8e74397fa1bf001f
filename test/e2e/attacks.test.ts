import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { before, test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { newPlace, type Place } from '../src/publish.js'
import type { Tokens } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

// Other attacks are tested elsewhere: external providers and browser sessions in `sign-in.test.ts`, resets in
// `password-reset.test.ts`, keys outside their scope in the authorization matrix, wrong keys of our own in
// `services/kit/src/keys/user-tokens.test.ts`.

let alice: TestUser
let mallory: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  mallory = await signUp()
  place = await newPlace(alice.api)
})

type Json = Record<string, unknown>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
const partsOf = (token: string) => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  return { head, claims, signature }
}

/** A token with another header and claims, but the original signature. */
function changed(token: string, head: Json, claims: Json) {
  const parts = partsOf(token)
  const newHead = encode({ ...decode(parts.head), ...head })
  return `${newHead}.${encode({ ...decode(parts.claims), ...claims })}.${parts.signature}`
}

/** Signs the token with HS256 and a key of the attacker. */
function signedWith(key: string | Buffer, token: string, head: Json = {}, claims: Json = {}) {
  const [newHead, newClaims] = changed(token, head, claims).split('.')
  const signed = `${newHead}.${newClaims}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** Signs the token as another issuer. */
function ofAnotherIssuer(token: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [head, claims] = changed(
    token,
    { alg: 'RS256', kid: 'theirs' },
    { iss: 'https://elsewhere.example' },
  ).split('.')
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), privateKey)
  return `${head}.${claims}.${signature.toString('base64url')}`
}

const unsigned = (token: string, alg: string) => changed(token, { alg }, {}).replace(/[^.]*$/, '')

const hour = 3600
const now = () => Math.floor(Date.now() / 1000)

/** Tokens of Mallory, modified to impersonate Alice. */
const forged: [string, (own: Tokens) => string][] = [
  ['claims of another user', ({ access }) => changed(access, {}, { sub: alice.username })],
  ['claims of staff', ({ access }) => changed(access, {}, { staff: true })],
  ['a longer life', ({ access }) => changed(access, {}, { exp: now() + 1000 * hour })],
  ['another type', ({ refresh }) => changed(refresh, {}, { type: 'access' })],
  ['alg none', ({ access }) => unsigned(access, 'none')],
  ['alg None', ({ access }) => unsigned(access, 'None')],
  ['alg none with the original signature', ({ access }) => changed(access, { alg: 'none' }, {})],
  ['alg HS512', ({ access }) => changed(access, { alg: 'HS512' }, {})],
  ['no alg', ({ access }) => changed(access, { alg: undefined }, {})],
  ['no signature', ({ access }) => access.replace(/[^.]*$/, '')],
  ['a truncated signature', ({ access }) => access.slice(0, -4)],
  ['an empty key', ({ access }) => signedWith('', access)],
  ['a guessed key', ({ access }) => signedWith('secret', access)],
  ['another issuer', ({ access }) => ofAnotherIssuer(access)],
  ['another issuer in the claims only', ({ access }) => changed(access, {}, { iss: 'figbase2' })],
  ['an unknown kid', ({ access }) => changed(access, { kid: 'nobody' }, {})],
  ['a kid that is a path', ({ access }) => signedWith('', access, { kid: '../../../dev/null' })],
  ['a kid that is SQL', ({ access }) => signedWith('x', access, { kid: "x' union select 'x" })],
  ['a kid that is not a string', ({ access }) => signedWith('', access, { kid: ['a'] })],
  ['a kid of the prototype', ({ access }) => signedWith('', access, { kid: '__proto__' })],
  ['a kid of ten thousand bytes', ({ access }) => signedWith('', access, { kid: 'k'.repeat(1e4) })],
  [
    'a key in its own header',
    ({ access }) =>
      signedWith('k', access, { jwk: { kty: 'oct', k: 'aw' }, jku: 'http://127.0.0.1/' }),
  ],
  ['a refresh token', ({ refresh }) => refresh],
  ['text that is not a token', () => 'x'],
  ['an empty object', () => `${encode({})}.${encode({})}.`],
]

for (const [name, forge] of forged) {
  test(`rejects ${name} as bearer token, with the code on which clients refresh`, async () => {
    const api = client(LATEST, `Bearer ${forge(mallory.tokens)}`)
    for (const path of ['user/', `workspace/${place.workspace.api_id}/`, 'events/']) {
      const { body } = await api.get<Refusal & { code: string }>(path, 401)
      assert.equal(body.code, 'token_not_valid')
    }
    await api.delete(`workspace/${place.workspace.api_id}/`, 401)
  })
}

test('rejects an access token and a forged token as refresh token', async () => {
  const { access, refresh } = mallory.tokens
  for (const bad of [
    access,
    changed(refresh, {}, { sub: alice.username }),
    changed(refresh, {}, { gen: 99 }),
    unsigned(refresh, 'none'),
    signedWith('', refresh),
    ofAnotherIssuer(refresh),
  ]) {
    const answer = await client().post<Refusal & { code: string }>(
      '/api/token/refresh/',
      { refresh: bad },
      401,
    )
    assert.equal(answer.body.code, 'token_not_valid')
  }
})

test('a revoked refresh token can neither refresh nor revoke another token', async () => {
  const { tokens } = await signUp()
  await client().post('/api/token/revoke/', { refresh: tokens.refresh }, 200)
  for (const path of ['/api/token/refresh/', '/api/token/revoke/']) {
    const { body } = await client().post<Refusal & { code: string }>(path, tokens, 401)
    assert.equal(body.code, 'token_not_valid')
  }
})

test('rejects invalid API keys, never with the code on which clients refresh', async () => {
  const { access } = alice.tokens
  for (const bad of [access, 'x', `figbase_${'A'.repeat(43)}000000`, 'figbase_', "' or 1=1 --"]) {
    const { body } = await client(LATEST, `Token ${bad}`).get<Refusal & { code: string }>(
      'user/',
      401,
    )
    assert.notEqual(body.code, 'token_not_valid')
    assert.equal(typeof body.code, 'string')
  }
})

test('accepts credentials only in their header', async () => {
  const { access, refresh } = alice.tokens
  const cookies = ['access', 'token', 'session', 'figbase_session', '__Host-figbase_session']
  const places: [string, Record<string, string>][] = [
    [`?token=${access}&access_token=${access}`, {}],
    ['', { cookie: cookies.map((name) => `${name}=${access}`).join('; ') }],
    ['', { cookie: cookies.map((name) => `${name}=${refresh}`).join('; ') }],
    ['', { 'x-authorization': `Bearer ${access}`, 'x-access-token': access }],
    ['', { 'figbase-principal': access, 'figbase-request-id': '1' }],
  ]
  for (const [query, headers] of places) {
    const url = new URL(`/api/${LATEST}/user/${query}`, deployment.origin)
    const answer = await fetch(url, { headers })
    assert.equal(answer.status, 401, `${query} ${Object.keys(headers)}`)
    assert.equal(((await answer.json()) as { code: string }).code, 'not_authenticated')
  }
})

test("a user cannot read or delete another user's API key", async () => {
  const { body: key } = await alice.api.post<{ api_id: string; token: string }>('api_key/', {
    name: 'mine',
  })
  await mallory.api.get(`api_key/${key.api_id}/`, 404)
  await mallory.api.delete(`api_key/${key.api_id}/`, 404)
  await client(LATEST, `Token ${key.token}`).get('user/', 200)
})

test('an API key for a workspace ends with the membership', async () => {
  const members = `workspace/${place.workspace.api_id}/members/`
  const { username } = mallory
  await alice.api.post(`${members}add/`, { username, membership_type: 'creator' }, 200)
  const { body: key } = await mallory.api.post<{ token: string }>('api_key/', {
    name: 'theirs',
    workspace: place.workspace.api_id,
  })
  const withKey = client(LATEST, `Token ${key.token}`)
  await withKey.get(`figure/${place.figure.api_id}/`, 200)
  await alice.api.post(`${members}remove/`, { username }, 200)
  await withKey.get(`figure/${place.figure.api_id}/`, 403)
  await withKey.post('figure/', { name: 'x', analysis: place.analysis.api_id }, 403)
  const { body: workspaces } = await withKey.get<unknown[]>('workspace/')
  assert.deepEqual(workspaces, [])
})
