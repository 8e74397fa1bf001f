import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit'
import { ann, asAnonymous, failureOf, type Started, start, transports } from './started.js'

const ended = { code: Code.Unauthenticated, error: 'token_not_valid', fields: [] }
const { username, password } = ann

async function signedIn({ signIn }: Started) {
  const { session } = await signIn.createSession({ username, password }, asAnonymous())
  return session?.token ?? ''
}

const whose = async ({ signIn }: Started, token: string) =>
  (await signIn.authenticateSession({ token }, actAsSystem())).principal?.username

for (const transport of transports) {
  test(`${transport}: a session is that of who had the password, until it is ended`, async () => {
    await using at = await start(transport)
    await at.client.createUser(ann, asAnonymous())
    const wrong = { username, password: 'wrong horse' }
    const failure = await failureOf(at.signIn.createSession(wrong, asAnonymous()))
    assert.equal(failure.error, 'authentication_failed')
    const [one, other] = [await signedIn(at), await signedIn(at)]
    assert.notEqual(one, other)
    assert.equal(await whose(at, one), 'ann')
    await at.signIn.endSession({ token: one }, asAnonymous())
    assert.deepEqual(await failureOf(whose(at, one)), ended)
    assert.equal(await whose(at, other), 'ann', 'another browser stays signed in')
  })
}

test('sessions end with a new password, and with a deactivation', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const before = await signedIn(at)
  await at.db.updateTable('account').set({ token_generation: 2 }).execute()
  assert.deepEqual(await failureOf(whose(at, before)), ended)
  const after = await signedIn(at)
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual(await failureOf(whose(at, after)), ended)
})

test('a session lasts as long as the setting says, and no other token is one', async () => {
  await using at = await start('local', { SESSION_LIFE: '1ms' })
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  for (const token of [tokens?.access ?? '', tokens?.refresh ?? '', '', 'x', 'a.b.c']) {
    assert.deepEqual(await failureOf(whose(at, token)), ended)
  }
  const { session } = await at.signIn.createSession({ username, password }, asAnonymous())
  const lifeMs = Number(session?.expiresOn?.seconds) * 1000 - Date.now()
  assert.ok(lifeMs <= 0)
  assert.deepEqual(
    await failureOf(at.client.refreshToken({ refresh: session?.token ?? '' }, asAnonymous())),
    ended,
  )
})
