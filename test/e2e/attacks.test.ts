import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { before, test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { newPlace, type Place } from '../src/publish.js'
import type { Tokens } from '../src/resources.js'

// What is not here: with foreign providers and browser sessions `sign-in.test.ts`, with resets
// `password-reset.test.ts`, with keys outside their scope the matrix, with wrong keys of our own
// `services/kit/src/user-tokens.test.ts`.

let alice: Person
let mallory: Person
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

/** The token with its head and claims changed, and the signature that it had. */
function changed(token: string, head: Json, claims: Json) {
  const parts = partsOf(token)
  const newHead = encode({ ...decode(parts.head), ...head })
  return `${newHead}.${encode({ ...decode(parts.claims), ...claims })}.${parts.signature}`
}

/** The same, signed with HS256 under a key of the attacker's choice. */
function signedWith(key: string | Buffer, token: string, head: Json = {}, claims: Json = {}) {
  const [newHead, newClaims] = changed(token, head, claims).split('.')
  const signed = `${newHead}.${newClaims}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** As another issuer would sign it. */
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

/** Made of tokens of Mallory's own, to be Alice. */
const forged: [string, (own: Tokens) => string][] = [
  ['claims of another user', ({ access }) => changed(access, {}, { sub: alice.username })],
  ['claims of staff', ({ access }) => changed(access, {}, { staff: true })],
  ['a longer life', ({ access }) => changed(access, {}, { exp: now() + 1000 * hour })],
  ['another type', ({ refresh }) => changed(refresh, {}, { type: 'access' })],
  ['alg none', ({ access }) => unsigned(access, 'none')],
  ['alg None', ({ access }) => unsigned(access, 'None')],
  ['alg none with the signature left', ({ access }) => changed(access, { alg: 'none' }, {})],
  ['alg HS512', ({ access }) => changed(access, { alg: 'HS512' }, {})],
  ['no alg', ({ access }) => changed(access, { alg: undefined }, {})],
  ['no signature', ({ access }) => access.replace(/[^.]*$/, '')],
  ['a cut signature', ({ access }) => access.slice(0, -4)],
  ['an empty key', ({ access }) => signedWith('', access)],
  ['a guessed key', ({ access }) => signedWith('secret', access)],
  ['another issuer', ({ access }) => ofAnotherIssuer(access)],
  ['another issuer, by name alone', ({ access }) => changed(access, {}, { iss: 'figbase2' })],
  ['a kid that nobody has', ({ access }) => changed(access, { kid: 'nobody' }, {})],
  ['a kid that is a path', ({ access }) => signedWith('', access, { kid: '../../../dev/null' })],
  ['a kid that is SQL', ({ access }) => signedWith('x', access, { kid: "x' union select 'x" })],
  ['a kid that is no text', ({ access }) => signedWith('', access, { kid: ['a'] })],
  ['a kid of the prototype', ({ access }) => signedWith('', access, { kid: '__proto__' })],
  ['a kid of ten thousand bytes', ({ access }) => signedWith('', access, { kid: 'k'.repeat(1e4) })],
  [
    'a key that it brings',
    ({ access }) =>
      signedWith('k', access, { jwk: { kty: 'oct', k: 'aw' }, jku: 'http://127.0.0.1/' }),
  ],
  ['the refresh token in its place', ({ refresh }) => refresh],
  ['no token at all', () => 'x'],
  ['an empty object', () => `${encode({})}.${encode({})}.`],
]

for (const [name, forge] of forged) {
  test(`as a bearer token, ${name} is refused, with the code that clients refresh upon`, async () => {
    const api = client(LATEST, `Bearer ${forge(mallory.tokens)}`)
    for (const path of ['user/', `workspace/${place.workspace.api_id}/`, 'events/']) {
      const { body } = await api.get<Refusal & { code: string }>(path, 401)
      assert.equal(body.code, 'token_not_valid')
    }
    await api.delete(`workspace/${place.workspace.api_id}/`, 401)
  })
}

test('an access token does not refresh, nor does a forged one', async () => {
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

test('a refresh token that was revoked does not refresh, nor does it revoke another', async () => {
  const { tokens } = await signUp()
  await client().post('/api/token/revoke/', { refresh: tokens.refresh }, 200)
  for (const path of ['/api/token/refresh/', '/api/token/revoke/']) {
    const { body } = await client().post<Refusal & { code: string }>(path, tokens, 401)
    assert.equal(body.code, 'token_not_valid')
  }
})

test('what is no API key is refused, never with the code that clients refresh upon', async () => {
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

test('credentials count in their header alone', async () => {
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

test("another user's API key is neither shown nor deleted", async () => {
  const { body: key } = await alice.api.post<{ api_id: string; token: string }>('api_key/', {
    name: 'mine',
  })
  await mallory.api.get(`api_key/${key.api_id}/`, 404)
  await mallory.api.delete(`api_key/${key.api_id}/`, 404)
  await client(LATEST, `Token ${key.token}`).get('user/', 200)
})

test('an API key ends with the membership that its workspace was reached by', async () => {
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
