import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { signInByDevice } from '@figbase/kit/testing'
import { type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { eventually, type SsoStarted, startWithProvider } from './support/sso.js'
import { as, failureOf, start } from './support/started.js'

const notValid = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }
const unavailable = { code: Code.Unavailable, error: 'identity_provider_unavailable', fields: [] }

let sso: SsoStarted
before(async () => {
  sso = await startWithProvider('http2')
})
after(() => sso[Symbol.asyncDispose]())

type Key = Parameters<SignJWT['sign']>[0]

const claimsOf = (): JWTPayload => ({
  iss: sso.provider.issuer,
  aud: sso.provider.settings.OIDC_AUDIENCE ?? '',
  sub: 'grace',
  email: 'grace@example.org',
  email_verified: true,
  exp: Math.floor(Date.now() / 1000) + 300,
})

/** Signs a token like the provider, with some changes. */
function forged(
  claims: JWTPayload = {},
  header: Partial<JWTHeaderParameters> = {},
  key: Key = sso.provider.key().privateKey,
) {
  const { id: kid } = sso.provider.key()
  const all = Object.entries({ ...claimsOf(), ...claims }).filter(
    ([, claim]) => claim !== undefined,
  )
  return new SignJWT(Object.fromEntries(all))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
    .sign(key)
}

const isRefused = async (token: string, why: string) =>
  assert.deepEqual(await failureOf(sso.authenticate(token)), notValid, why)

test('accepts unmodified test tokens and tokens of the provider', async () => {
  const { username } = await sso.authenticate(await forged())
  assert.equal(username, 'grace')
  const { access } = await signInByDevice(sso.provider, 'grace')
  assert.equal((await sso.authenticate(access)).username, 'grace')
})

test('rejects another issuer, audience or key', async () => {
  const { issuer } = sso.provider
  await isRefused(await forged({ iss: 'https://evil.example' }), 'another issuer')
  await isRefused(await forged({ iss: `${issuer}/` }), 'nearly the issuer')
  await isRefused(await forged({ iss: [issuer] as unknown as string }), 'issuers')
  await isRefused(await forged({ aud: 'https://another.example/api' }), 'another audience')
  await isRefused(await forged({ aud: undefined as unknown as string }), 'no audience')
  await isRefused(await forged({ aud: 'figbase-web' }), 'the client')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await isRefused(await forged({}, {}, privateKey), "another's key")
})

test('rejects expired, early and modified tokens', async () => {
  const now = Math.floor(Date.now() / 1000)
  await isRefused(await forged({ exp: now - 60 }), 'expired')
  await isRefused(await forged({ exp: undefined as unknown as number }), 'without an end')
  await isRefused(await forged({ nbf: now + 60 }), 'not yet')
  const [head = '', , signature = ''] = (await forged()).split('.')
  const claims = Buffer.from(JSON.stringify({ ...claimsOf(), sub: 'admin' })).toString('base64url')
  await isRefused(`${head}.${claims}.${signature}`, 'other claims')
  for (const text of ['', 'x', 'a.b.c', `${head}..${signature}`, `${head}.${claims}.`]) {
    await isRefused(text, text)
  }
})

test('rejects unsigned tokens and HMAC with the public key', async () => {
  const unsigned = new UnsecuredJWT(claimsOf()).encode()
  await isRefused(unsigned, 'alg none')
  const { publicKey, id: kid } = sso.provider.key()
  const secrets = [
    publicKey.export({ type: 'spki', format: 'pem' }),
    publicKey.export({ type: 'spki', format: 'der' }),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
  ]
  for (const secret of secrets) {
    const key = typeof secret === 'string' ? Buffer.from(secret) : secret
    await isRefused(await forged({}, { alg: 'HS256', kid }, key), 'HS256 with the public key')
  }
})

test('rejects keys in the token', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const { id } = sso.provider.key()
  for (const header of [
    { jwk },
    { jwk, kid: id },
    { jku: `${sso.provider.issuer}/jwks`, kid: 'theirs' },
    { x5u: 'https://evil.example/cert', kid: id },
    { crit: ['exp'], exp: 1 },
  ]) {
    const token = await forged({}, header, privateKey).catch(() => undefined)
    if (token) await isRefused(token, JSON.stringify(header))
  }
  for (const kid of ['../../../dev/null', "' or 1=1 --", '__proto__', 'constructor', '\0', '']) {
    await isRefused(await forged({}, { kid }, privateKey), `kid ${kid}`)
  }
})

test('rejects ID tokens, also with the same audience', async () => {
  const { id } = await signInByDevice(sso.provider, 'grace')
  await isRefused(id, 'of the device flow')
  await isRefused(await forged({ at_hash: 'x' }), 'with a hash of an access token')
  await isRefused(await forged({ typ: 'ID' }), 'named so')
  await isRefused(await forged({}, { typ: 'logout+jwt' }), 'of another type')
})

test('rejects an invalid subject', async () => {
  for (const sub of ['', 'x'.repeat(256), 'a\0b', 'ä', 'a\nb']) {
    await isRefused(await forged({ sub }), JSON.stringify(sub))
  }
})

test('fetches keys at most once per cool-down for unknown key ids', async () => {
  await using slow = await startWithProvider('local', { OIDC_KEYS_COOLDOWN: '60s' })
  const { provider } = slow
  const keyRequests = () => provider.requests.filter((path) => path === '/jwks').length
  const { access } = await signInByDevice(provider, 'grace')
  await slow.authenticate(access)
  assert.equal(keyRequests(), 1)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (let n = 0; n < 20; n++) {
    const claims = { ...claimsOf(), iss: provider.issuer }
    const token = await forged(claims, { kid: `unknown ${n}` }, privateKey)
    assert.deepEqual(await failureOf(slow.authenticate(token)), notValid)
  }
  assert.equal(keyRequests(), 1)
})

test('accepts a rotated key of the provider', async () => {
  const { access: before } = await signInByDevice(sso.provider, 'grace')
  sso.provider.rotateKey()
  const { access } = await signInByDevice(sso.provider, 'grace')
  // Succeeds after the cool-down.
  const { username } = await eventually(() => sso.authenticate(access))
  assert.equal(username, 'grace')
  await isRefused(before, 'signed with the old key')
})

test('startup succeeds while the provider is unavailable, and sign-in works when it is back', async () => {
  let access = ''
  await using late = await startWithProvider('local', {}, undefined, async (provider) => {
    access = (await signInByDevice(provider, 'grace')).access
    await provider.stop()
  })
  const { provider } = late
  assert.deepEqual(await failureOf(late.authenticate(access)), unavailable)
  const begun = late.at.signIn.beginSignIn({ redirectUri: 'http://127.0.0.1/' }, actAsSystem())
  assert.deepEqual(await failureOf(begun), unavailable)
  await provider.start()
  const { username } = await eventually(() => late.authenticate(access))
  assert.equal(username, 'grace')

  // Known keys stay valid; unknown ones cannot be checked.
  await provider.stop()
  assert.equal((await late.authenticate(access)).username, 'grace')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const unknown = await forged({ iss: provider.issuer }, { kid: 'new' }, privateKey)
  assert.deepEqual(await failureOf(late.authenticate(unknown)), unavailable)
})

test('rejects all tokens without a provider, and non-system callers', async () => {
  await using alone = await start('local')
  const token = await forged()
  const ask = (call: object) => failureOf(alone.signIn.authenticateForeignToken({ token }, call))
  assert.deepEqual(await ask(actAsSystem()), notValid)
  assert.equal((await ask(as('ann'))).code, Code.PermissionDenied)
  const session = alone.signIn.authenticateSession({ token }, as('ann'))
  assert.equal((await failureOf(session)).code, Code.PermissionDenied)
  assert.equal((await alone.signIn.getProvider({}, as('ann'))).issuer, '')
})
