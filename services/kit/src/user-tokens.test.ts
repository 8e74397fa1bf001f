import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import jwt from 'jsonwebtoken'
import { detailOf } from './errors.js'
import { keysFrom } from './keys.js'
import {
  signAccessToken,
  signRefreshToken,
  userTokenPurpose,
  verifyAccessToken,
  verifyRefreshToken,
} from './user-tokens.js'

const key = keysFrom('secret').derive(userTokenPurpose)
const ann = { username: 'ann', isStaff: true, generation: 3 }

const refused = (token: string, verify = verifyAccessToken as (...args: never) => unknown) =>
  assert.throws(
    () => (verify as typeof verifyAccessToken)(token, key),
    (error: Parameters<typeof detailOf>[0]) => {
      assert.equal(error.code, Code.Unauthenticated)
      assert.equal(detailOf(error)?.error, 'token_not_valid')
      return true
    },
  )

test('an access token says who its user is', () => {
  const read = verifyAccessToken(signAccessToken(ann, key, 60_000), key)
  assert.deepEqual(read, { username: 'ann', isStaff: true })
})

test('a refresh token says of which generation it is', () => {
  assert.deepEqual(verifyRefreshToken(signRefreshToken(ann, key, 60_000), key), ann)
})

test('neither kind of token stands for the other', () => {
  refused(signRefreshToken(ann, key, 60_000))
  refused(signAccessToken(ann, key, 60_000), verifyRefreshToken)
})

test('what is expired, forged, unsigned, foreign or no token at all is refused', () => {
  const claims = { type: 'access', gen: 1, staff: true }
  const options = { issuer: 'figbase', subject: 'ann', expiresIn: 60 }
  const other = keysFrom('other').derive(userTokenPurpose)
  const token = signAccessToken(ann, key, 60_000)
  const tampered = token.split('.').with(1, Buffer.from('{"sub":"bob"}').toString('base64url'))
  for (const bad of [
    signAccessToken(ann, key, -1000),
    signAccessToken(ann, other, 60_000),
    tampered.join('.'),
    jwt.sign(claims, '', { ...options, algorithm: 'none' }),
    jwt.sign(claims, key, { ...options, issuer: 'elsewhere' }),
    jwt.sign(claims, key, { ...options, algorithm: 'HS512' }),
    jwt.sign(claims, key, { issuer: 'figbase', subject: 'ann' }),
    jwt.sign({ ...claims, staff: 'yes' }, key, options),
    jwt.sign({ type: 'access' }, key, options),
    '',
    'x',
    'a.b.c',
  ]) {
    refused(bad)
  }
})

test('two tokens of the same second differ', () => {
  assert.notEqual(signAccessToken(ann, key, 60_000), signAccessToken(ann, key, 60_000))
})
