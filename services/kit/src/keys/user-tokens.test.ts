import assert from 'node:assert/strict'
import { createHmac, createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import jwt from 'jsonwebtoken'
import { detailOf } from '../errors/errors.js'
import { keysFrom } from './keys.js'
import {
  signAccessToken,
  signRefreshToken,
  userTokenPurpose,
  verifyAccessToken,
  verifyRefreshToken,
} from './user-tokens.js'

const ring = keysFrom('secret').derive(userTokenPurpose)
const { key } = ring.current
const ann = { username: 'ann', isStaff: true, generation: 3 }

const refused = (token: string, verify = verifyAccessToken as (...args: never) => unknown) =>
  assert.throws(
    () => (verify as typeof verifyAccessToken)(token, ring),
    (error: Parameters<typeof detailOf>[0]) => {
      assert.equal(error.code, Code.Unauthenticated)
      assert.equal(detailOf(error)?.error, 'token_not_valid')
      return true
    },
  )

test('reads the user of an access token', () => {
  const read = verifyAccessToken(signAccessToken(ann, ring, 60_000), ring)
  assert.deepEqual(read, { username: 'ann', isStaff: true })
})

test('reads generation and id of a refresh token', () => {
  const { id, expiresOn, ...subject } = verifyRefreshToken(
    signRefreshToken(ann, ring, 60_000),
    ring,
  )
  assert.deepEqual(subject, ann)
  assert.match(id, /^[0-9a-f-]{36}$/)
  const lifeMs = expiresOn - Date.now()
  assert.ok(lifeMs > 50_000 && lifeMs <= 60_000, `${lifeMs} ms`)
})

test('rejects a token of the other type', () => {
  refused(signRefreshToken(ann, ring, 60_000))
  refused(signAccessToken(ann, ring, 60_000), verifyRefreshToken)
})

test('rejects expired, forged, unsigned, external and malformed tokens', () => {
  const claims = { type: 'access', gen: 1, staff: true }
  const options = { issuer: 'figbase', subject: 'ann', jwtid: 'one', expiresIn: 60 }
  const other = keysFrom('other').derive(userTokenPurpose)
  const token = signAccessToken(ann, ring, 60_000)
  const tampered = token.split('.').with(1, Buffer.from('{"sub":"bob"}').toString('base64url'))
  for (const bad of [
    signAccessToken(ann, ring, -1000),
    signAccessToken(ann, other, 60_000),
    tampered.join('.'),
    jwt.sign(claims, '', { ...options, algorithm: 'none' }),
    jwt.sign(claims, key, { ...options, issuer: 'elsewhere' }),
    jwt.sign(claims, key, { ...options, algorithm: 'HS512' }),
    jwt.sign(claims, key, { issuer: 'figbase', subject: 'ann', jwtid: 'one' }),
    jwt.sign(claims, key, { ...options, jwtid: '' }),
    jwt.sign({ ...claims, staff: 'yes' }, key, options),
    jwt.sign({ type: 'access' }, key, options),
    '',
    'x',
    'a.b.c',
  ]) {
    refused(bad)
  }
})

test('issues different tokens within a second', () => {
  assert.notEqual(signAccessToken(ann, ring, 60_000), signAccessToken(ann, ring, 60_000))
})

test('accepts tokens signed with a previous secret', () => {
  const ringOf = (secret: string, previous: string[] = []) =>
    keysFrom(secret, previous).derive(userTokenPurpose)
  const old = signAccessToken(ann, ring, 60_000)
  const rotated = ringOf('newer', ['older', 'secret'])
  assert.equal(verifyAccessToken(old, rotated).username, 'ann')
  const fresh = signAccessToken(ann, rotated, 60_000)
  assert.equal(verifyAccessToken(fresh, rotated).username, 'ann')
  assert.equal(
    verifyAccessToken(fresh, ringOf('newer')).username,
    'ann',
    'signed with the current key',
  )
  assert.equal(verifyAccessToken(fresh, ringOf('secret', ['newer'])).username, 'ann')
  refused(fresh)
  refused(old, (token: string) => verifyAccessToken(token, ringOf('newer', ['older'])))
})

test('accepts tokens without `kid` signed with any key', () => {
  const unnamed = jwt.sign({ type: 'access', gen: 1, staff: true }, key, {
    issuer: 'figbase',
    subject: 'ann',
    jwtid: 'one',
    expiresIn: 60,
  })
  assert.equal(jwt.decode(unnamed, { complete: true })?.header.kid, undefined)
  assert.equal(verifyAccessToken(unnamed, ring).username, 'ann')
  const rotated = keysFrom('newer', ['older', 'secret']).derive(userTokenPurpose)
  assert.equal(verifyAccessToken(unnamed, rotated).username, 'ann')
})

test('rejects tokens with an unknown `kid`', () => {
  const rotated = keysFrom('newer', ['secret']).derive(userTokenPurpose)
  const claims = {
    type: 'access',
    gen: 1,
    staff: true,
    iss: 'figbase',
    sub: 'ann',
    jti: 'one',
    exp: 2e9,
  }
  const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (header: unknown, signer = rotated.current.key) => {
    const text = `${segment(header)}.${segment(claims)}`
    return `${text}.${createHmac('sha256', signer).update(text).digest('base64url')}`
  }
  const header = { alg: 'HS256', typ: 'JWT' }
  const { id } = rotated.current
  const previous = rotated.all[1]
  assert.ok(previous)
  const read = (token: string) => verifyAccessToken(token, rotated)
  assert.equal(read(signed({ ...header, kid: id })).username, 'ann')
  assert.equal(read(signed({ ...header, kid: previous.id }, previous.key)).username, 'ann')

  const other = keysFrom('newer').derive('another purpose').current
  for (const kid of [
    ...['', ' ', 'none', id.toUpperCase(), `${id} `, `${id}=`, `../${id}`, other.id, previous.id],
    ...['__proto__', 'constructor', 'toString', '/dev/null', "' or 1=1 --", 'x'.repeat(100_000)],
    ...[0, 1, true, null, [], [id], {}, { toString: id }],
  ]) {
    refused(signed({ ...header, kid }), read)
  }
  const empty = createSecretKey(Buffer.alloc(32))
  for (const bad of [
    signed({ ...header, kid: previous.id }),
    signed({ ...header, kid: id }, previous.key),
    signed({ ...header, kid: 'x' }, empty),
    signed({ ...header, kid: '/dev/null' }, empty),
    signed({ ...header, alg: 'none', kid: id }),
    signed({ ...header, alg: 'HS512', kid: id }),
    signed({ ...header, kid: other.id }, other.key),
    signed({ ...header, jwk: { kty: 'oct', k: '' }, jku: 'https://example.org/keys' }, empty),
    signed(null),
    signed('x'),
    signed([]),
  ]) {
    refused(bad, read)
  }
})
