import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { ann, as, asAnonymous, failureOf, start } from './started.js'

/**
 * How many hashes are computed while `work` runs: the library hands each to the thread pool as native work,
 * which it gives no name.
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

test('whoever is unknown, inactive, gone or without a password costs the hash that a wrong password costs', async () => {
  await using at = await start('local')
  const names = ['ann', 'inactive', 'gone', 'bare']
  for (const username of names) await at.client.createUser({ ...ann, username }, asAnonymous())
  await at.db
    .updateTable('account')
    .set({ is_active: false })
    .where('username', '=', 'inactive')
    .execute()
  await at.db
    .updateTable('account')
    .set({ password_hash: null })
    .where('username', '=', 'bare')
    .execute()
  await at.accounts.deleteUser({ username: 'gone', password: ann.password }, as('gone'))
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

test('to ask for a new password computes no hash, and to follow a link that is none does not either', async () => {
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
