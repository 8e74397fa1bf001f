import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

/**
 * Counts the hashes computed during `work`: the library runs each on the thread pool as unnamed native work.
 */
async function hashesIn(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const hook = createHook({
    init(_id, type) {
      if (String(type) === 'undefined') hashes++
    },
  }).enable()
  try {
    await work()
    return hashes
  } finally {
    hook.disable()
  }
}

test('sign-in of unknown, inactive, deleted and passwordless users costs one hash', async () => {
  await using at = await start('local')
  const names = ['ann', 'inactive', 'deleted', 'passwordless']
  for (const username of names) await at.client.createUser({ ...ann, username }, asAnonymous())
  await at.db
    .updateTable('account')
    .set({ is_active: false })
    .where('username', '=', 'inactive')
    .execute()
  await at.db
    .updateTable('account')
    .set({ password_hash: null })
    .where('username', '=', 'passwordless')
    .execute()
  await at.accounts.deleteUser({ username: 'deleted', password: ann.password }, as('deleted'))
  const signIn = (username: string, password: string) =>
    at.client.issueToken({ username, password }, asAnonymous())
  assert.equal(await hashesIn(() => signIn('ann', ann.password)), 1)
  const outcomes = []
  for (const username of [...names, 'nobody']) {
    const password = username === 'ann' ? 'wrong horse' : ann.password
    let failure: unknown
    const hashes = await hashesIn(async () => {
      failure = await failureOf(signIn(username, password))
    })
    outcomes.push({ hashes, failure })
  }
  const [wrong] = outcomes
  assert.equal(wrong?.hashes, 1)
  for (const outcome of outcomes) assert.deepEqual(outcome, wrong)
})

test('a password reset request and an invalid link compute no hash', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const requests = [ann.email, 'nobody@example.org'].map((email) =>
    hashesIn(() => at.accounts.requestPasswordReset({ email }, asAnonymous())),
  )
  assert.deepEqual(await Promise.all(requests), [0, 0])
  const follow = () =>
    failureOf(at.accounts.resetPassword({ token: 'x', password: 'a newer horse' }, asAnonymous()))
  assert.equal(await hashesIn(follow), 0)
})
