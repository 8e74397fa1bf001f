import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { ApiKeyAccess } from '@figbase/proto/common'
import jwt from 'jsonwebtoken'
import { keysFrom } from '../src/keys/index.js'
import { actAsSystem, user } from '../src/rpc/index.js'
import { signPrincipal, verifyPrincipal } from '../src/rpc/principal.js'
import { userWithKey } from '../src/testing/index.js'
import { connect, topologies } from './clients.js'
import { failureOf } from './failure-of.js'

const ring = keysFrom('secret').derive('internal principal')
const { key } = ring.current
const refused = { code: Code.Unauthenticated }

test('round-trips a signed principal', () => {
  const read = verifyPrincipal(signPrincipal(user('ann', true), ring), ring)
  assert.deepEqual([read.username, read.isStaff, read.isSystem], ['ann', true, false])
})

test('round-trips the API key of a principal with its workspace and access', () => {
  for (const workspaceId of ['', 'a workspace']) {
    const principal = userWithKey('ann', workspaceId)
    const { apiKey, isStaff } = verifyPrincipal(signPrincipal(principal, ring), ring)
    assert.deepEqual([apiKey?.id, apiKey?.workspaceId, isStaff], ['key', workspaceId, false])
  }
  for (const access of [ApiKeyAccess.READ, ApiKeyAccess.PUBLISH, ApiKeyAccess.FULL]) {
    const signed = signPrincipal(userWithKey('ann', '', access), ring)
    assert.equal(verifyPrincipal(signed, ring).apiKey?.access, access)
  }
  assert.equal(verifyPrincipal(signPrincipal(user('ann'), ring), ring).apiKey, undefined)
})

test('rejects a missing principal', () => {
  assert.throws(() => verifyPrincipal(null, ring), refused)
  assert.throws(() => verifyPrincipal('', ring), refused)
})

test('rejects a principal signed with another secret or for another purpose', () => {
  for (const other of [
    keysFrom('other').derive('internal principal'),
    keysFrom('secret').derive('user tokens'),
  ]) {
    assert.throws(() => verifyPrincipal(signPrincipal(user('ann'), other), ring), refused)
  }
})

test('accepts peers with a previous or newer secret in the ring', () => {
  const next = keysFrom('next', ['secret']).derive('internal principal')
  const cached = keysFrom('secret', ['next']).derive('internal principal')
  const sent = (from: typeof ring, to: typeof ring) =>
    verifyPrincipal(signPrincipal(user('ann'), from), to).username
  assert.deepEqual([sent(ring, next), sent(next, cached), sent(cached, next)], Array(3).fill('ann'))
  assert.throws(() => sent(next, ring), refused)
})

test('rejects an unsigned principal', () => {
  const unsigned = jwt.sign({ u: 'ann', s: true, y: true }, '', { algorithm: 'none' })
  assert.throws(() => verifyPrincipal(unsigned, ring), refused)
})

test('rejects an expired principal', () => {
  const claims = { u: 'ann', s: false, y: false, exp: Math.floor(Date.now() / 1000) - 10 }
  assert.throws(() => verifyPrincipal(jwt.sign(claims, key), ring), refused)
})

test('rejects a principal without expiry', () => {
  const claims = { u: 'ann', s: false, y: false }
  assert.throws(() => verifyPrincipal(jwt.sign(claims, key), ring), refused)
})

for (const topology of topologies) {
  test(`${topology}: a caller that is not a peer reaches no handler`, async () => {
    let called = false
    const findExisting = () => {
      called = true
      return {}
    }
    await using at = await connect(topology, { findExisting }, { callerSecret: 'guessed' })
    const error = await failureOf(at.client.findExisting({}, actAsSystem()))
    assert.equal(error.code, Code.Unauthenticated)
    assert.equal(called, false)
  })
}
