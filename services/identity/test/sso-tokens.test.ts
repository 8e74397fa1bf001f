import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit'
import { signInByDevice } from '@figbase/kit/testing'
import { type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { eventually, type SsoStarted, startWithProvider } from './sso.js'
import { as, failureOf, start } from './started.js'

const notValid = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }
const away = { code: Code.Unavailable, error: 'identity_provider_unavailable', fields: [] }

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

/** As the provider signs, but for what is given. */
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
  assert.deepEqual(await failureOf(sso.whose(token)), notValid, why)

test('tokens are made here as the provider makes them', async () => {
  const { username } = await sso.whose(await forged())
  assert.equal(username, 'grace')
  const { access } = await signInByDevice(sso.provider, 'grace')
  assert.equal((await sso.whose(access)).username, 'grace')
})

test('a token of somebody else, or for somebody else, is refused', async () => {
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

test('a token that is over, or was changed, is refused', async () => {
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

test('a token without a signature, or signed with what everybody knows, is refused', async () => {
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

test('a token cannot bring its own key along', async () => {
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

test('an ID token is no access token, even if it is for the same audience', async () => {
  const { id } = await signInByDevice(sso.provider, 'grace')
  await isRefused(id, 'of the device flow')
  await isRefused(await forged({ at_hash: 'x' }), 'with a hash of an access token')
  await isRefused(await forged({ typ: 'ID' }), 'named so')
  await isRefused(await forged({}, { typ: 'logout+jwt' }), 'of another type')
})

test('a subject that the specification does not know is refused', async () => {
  for (const sub of ['', 'x'.repeat(256), 'a\0b', 'ä', 'a\nb']) {
    await isRefused(await forged({ sub }), JSON.stringify(sub))
  }
})

test('a key that is unknown does not make us ask the provider with each token', async () => {
  await using slow = await startWithProvider('local', { OIDC_KEYS_COOLDOWN: '60s' })
  const { provider } = slow
  const asked = () => provider.requests.filter((path) => path === '/jwks').length
  const { access } = await signInByDevice(provider, 'grace')
  await slow.whose(access)
  assert.equal(asked(), 1)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (let n = 0; n < 20; n++) {
    const claims = { ...claimsOf(), iss: provider.issuer }
    const token = await forged(claims, { kid: `unknown ${n}` }, privateKey)
    assert.deepEqual(await failureOf(slow.whose(token)), notValid)
  }
  assert.equal(asked(), 1)
})

test('the provider may change its key', async () => {
  const { access: before } = await signInByDevice(sso.provider, 'grace')
  sso.provider.rotateKey()
  const { access } = await signInByDevice(sso.provider, 'grace')
  // Not within the cool-down after the keys were asked for last.
  const { username } = await eventually(() => sso.whose(access))
  assert.equal(username, 'grace')
  await isRefused(before, 'signed with the key that is gone')
})

test('a provider that is away at the start stops nothing, and is asked again when it is back', async () => {
  let access = ''
  await using late = await startWithProvider('local', {}, undefined, async (provider) => {
    access = (await signInByDevice(provider, 'grace')).access
    await provider.goAway()
  })
  const { provider } = late
  assert.deepEqual(await failureOf(late.whose(access)), away)
  const begun = late.at.signIn.beginSignIn({ redirectUri: 'http://127.0.0.1/' }, actAsSystem())
  assert.deepEqual(await failureOf(begun), away)
  await provider.comeBack()
  const { username } = await eventually(() => late.whose(access))
  assert.equal(username, 'grace')

  // Keys that are known go on; others are nobody's fault.
  await provider.goAway()
  assert.equal((await late.whose(access)).username, 'grace')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const unknown = await forged({ iss: provider.issuer }, { kid: 'new' }, privateKey)
  assert.deepEqual(await failureOf(late.whose(unknown)), away)
})

test('without a provider no token is accepted, and only the system asks about them', async () => {
  await using alone = await start('local')
  const token = await forged()
  const ask = (call: object) => failureOf(alone.signIn.authenticateForeignToken({ token }, call))
  assert.deepEqual(await ask(actAsSystem()), notValid)
  assert.equal((await ask(as('ann'))).code, Code.PermissionDenied)
  const session = alone.signIn.authenticateSession({ token }, as('ann'))
  assert.equal((await failureOf(session)).code, Code.PermissionDenied)
  assert.equal((await alone.signIn.getProvider({}, as('ann'))).issuer, '')
})
