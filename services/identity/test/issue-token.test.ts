import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, anonymous } from '@figbase/kit'
import jwt from 'jsonwebtoken'
import { ann, asAnonymous, failureOf, start, transports } from './started.js'

const refused = { code: Code.Unauthenticated, error: 'authentication_failed', fields: [] }
const lifeSeconds = (token = '') => {
  const claims = jwt.decode(token, { json: true })
  return (claims?.exp ?? 0) - (claims?.iat ?? 0)
}

for (const transport of transports) {
  test(`${transport}: who has the password gets tokens; nobody else learns anything`, async () => {
    await using at = await start(transport)
    await at.client.createUser(ann, asAnonymous())
    const { username, password } = ann
    const { tokens } = await at.client.issueToken({ username, password }, asAnonymous())
    const claims = jwt.decode(tokens?.access ?? '', { json: true })
    assert.equal(claims?.sub, 'ann')
    assert.equal(claims.iss, 'figbase')
    assert.ok(claims.jti)
    for (const bad of [
      { username, password: 'wrong horse' },
      { username, password: '' },
      { username, password: 'x'.repeat(5000) },
      { username: 'nobody', password },
      { username: '', password },
      { username: 'a\0b', password },
      { username: `' or true --`, password },
    ]) {
      assert.deepEqual(await failureOf(at.client.issueToken(bad, asAnonymous())), refused)
    }
  })
}

test('an inactive user is refused like an unknown one', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(at.client.issueToken(ann, asAnonymous())), refused)
})

test('to be remembered lengthens the refresh token only; the settings say by how much', async () => {
  const env = {
    ACCESS_TOKEN_LIFE: '5m',
    REFRESH_TOKEN_LIFE: '1h',
    REMEMBERED_REFRESH_TOKEN_LIFE: '2h',
  }
  await using at = await start('local', env)
  await at.client.createUser(ann, asAnonymous())
  for (const [rememberMe, seconds] of [
    [false, 3600],
    [true, 7200],
  ] as const) {
    const { tokens } = await at.client.issueToken({ ...ann, rememberMe }, asAnonymous())
    assert.equal(lifeSeconds(tokens?.access), 300)
    assert.equal(lifeSeconds(tokens?.refresh), seconds)
  }
})

test('hundreds of sign-ins in a row, from one address, are normal', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const call = actAs(anonymous, '', '192.0.2.1')
  for (let n = 0; n < 20; n++) {
    await Promise.all(Array.from({ length: 10 }, () => at.client.issueToken(ann, call)))
  }
})

test('twenty failures in a minute stop the guessing, for this username only', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.client.createUser({ ...ann, username: 'bob' }, asAnonymous())
  const guesses = Array.from({ length: 40 }, () =>
    failureOf(at.client.issueToken({ username: 'ann', password: 'wrong horse' }, asAnonymous())),
  )
  const failures = await Promise.all(guesses)
  const counted = failures.filter(({ error }) => error === 'authentication_failed').length
  // Those in flight when the last one is counted may pass.
  assert.ok(counted >= 20 && counted <= 22, `${counted} guesses were checked`)
  const now = await failureOf(at.client.issueToken(ann, asAnonymous()))
  assert.deepEqual(now, { code: Code.ResourceExhausted, error: 'too_many_failures', fields: [] })
  await at.client.issueToken({ ...ann, username: 'bob' }, asAnonymous())
})
