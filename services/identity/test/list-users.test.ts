import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actAs, anonymous } from '@figbase/kit/rpc'
import { as, failureOf, type Started, start } from './support/started.js'

type Person = { username: string; avatar?: string; deleted_on?: string }

async function insert(at: Started, people: Person[]) {
  const rows = people.map((person) => ({
    first_name: 'First',
    last_name: 'Last',
    email: '',
    password_hash: '',
    profile: '{"secret":1}',
    ...person,
  }))
  await at.db.insertInto('account').values(rows).execute()
}

test('lists users in the requested order, with public fields only', async () => {
  await using at = await start('http2')
  await insert(at, [
    { username: 'ann' },
    { username: 'bob' },
    { username: 'deleted', deleted_on: 'now' },
  ])
  const usernames = ['deleted', 'nobody', 'bob', 'no name', 'ann']
  for (const call of [as('ann'), actAs(anonymous)]) {
    const { users } = await at.client.listUsers({ usernames }, call)
    assert.deepEqual(
      users.map(({ username }) => username),
      ['deleted', 'bob', 'ann'],
    )
    assert.ok(users.every((user) => user.firstName === 'First' && user.private === undefined))
  }
})

test('omits avatars beyond the total size', async () => {
  await using at = await start('local')
  const avatar = 'A'.repeat(2 ** 20)
  const usernames = Array.from({ length: 6 }, (_, n) => `user${n}`)
  await insert(
    at,
    usernames.map((username) => ({ username, avatar })),
  )
  const { users } = await at.client.listUsers({ usernames }, as('ann'))
  assert.deepEqual(
    users.map((user) => user.avatar.length > 0),
    [true, true, true, true, false, false],
  )
})

test('rejects more than 1000 usernames', async () => {
  await using at = await start('local')
  const usernames = Array.from({ length: 1001 }, (_, n) => `user${n}`)
  const failure = await failureOf(at.client.listUsers({ usernames }, as('ann')))
  assert.deepEqual(failure.fields, ['usernames'])
})
