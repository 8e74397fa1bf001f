import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthenticateForeignTokenResponseSchema } from '@figbase/proto/identity/sign-in'
import jwt from 'jsonwebtoken'
import { tokenNotValid } from '../keys/user-tokens.js'
import { isExternal, readExternalTokenWith } from './external-token.js'
import { user } from './principal.js'

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 }))
afterEach(() => mock.timers.reset())

/** A fake identity that accepts tokens of ann with this lifetime and counts its calls. */
function identityWith(lifeMs: number) {
  const expiresOn = timestampFromMs(Date.now() + lifeMs)
  const state = { asked: 0 }
  const read = readExternalTokenWith({
    async authenticateForeignToken({ token }) {
      state.asked++
      if (token !== 'good') throw tokenNotValid()
      return create(AuthenticateForeignTokenResponseSchema, { principal: user('ann'), expiresOn })
    },
  })
  return { state, read: (token: string) => read(token, '') }
}

test('caches the user of a token for a minute', async () => {
  const { state, read } = identityWith(3_600_000)
  assert.equal((await read('good')).username, 'ann')
  mock.timers.tick(59_999)
  assert.equal((await read('good')).username, 'ann')
  assert.equal(state.asked, 1)
  mock.timers.tick(1)
  await read('good')
  assert.equal(state.asked, 2)
})

test('does not cache beyond the expiry of the token', async () => {
  const { state, read } = identityWith(5000)
  await read('good')
  mock.timers.tick(5000)
  await read('good')
  assert.equal(state.asked, 2)
})

test('does not cache rejected tokens', async () => {
  const { state, read } = identityWith(5000)
  for (let n = 0; n < 2; n++) await assert.rejects(read('bad'))
  assert.equal(state.asked, 2)
})

test('recognizes external tokens by their issuer', () => {
  const signed = (claims: object) => jwt.sign(claims, 'secret')
  assert.equal(isExternal(signed({ iss: 'https://elsewhere.example' })), true)
  assert.equal(isExternal(signed({ iss: 'figbase' })), false)
  assert.equal(isExternal(signed({})), false)
  for (const text of ['', 'x', 'a.b.c', '..', `${signed({})}.x`]) {
    assert.equal(isExternal(text), false, text)
  }
})
