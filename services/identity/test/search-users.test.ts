import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { sql } from 'kysely'
import { searchQuery } from '../src/queries/users.js'
import { as, asAnonymous, failureOf, type Started, start } from './support/started.js'

/** Without passwords, which are slow to hash. */
async function insert(at: Started, people: [string, string, string][]) {
  const rows = people.map(([username, first_name, last_name]) => ({
    username,
    first_name,
    last_name,
    email: `${username}@example.org`,
    password_hash: '',
  }))
  await at.db.insertInto('account').values(rows).execute()
}

const people: [string, string, string][] = [
  ['lee', 'Robin', 'Moss'],
  ['ann', 'Ann', 'Lee'],
  ['leeward', 'Lea', 'Åberg'],
  ['bob', 'Leeroy', 'Smith'],
  ['carl', 'Carl', 'Ohm'],
  ['per_cent', '100%', 'x'],
  ['percent', 'a', 'b'],
]

test('finds users by a prefix of username and names', async () => {
  await using at = await start('http2')
  await insert(at, people)
  const found = async (query: string, pageSize = 0) => {
    const { users } = await at.client.searchUsers({ query, pageSize }, as('ann'))
    return users.map(({ username }) => username)
  }
  assert.deepEqual(await found('lee'), ['lee', 'ann', 'bob', 'leeward'])
  assert.deepEqual(await found('LEE'), ['lee', 'ann', 'bob', 'leeward'])
  assert.deepEqual(await found('lee', 2), ['lee', 'ann'])
  assert.deepEqual(await found(' ann l'), ['ann'])
  assert.deepEqual(await found('åberg'), ['leeward'])
  assert.deepEqual(await found('per_'), ['per_cent'])
  assert.deepEqual(await found('100%'), ['per_cent'])
  assert.deepEqual(await found('%'), [])
  assert.deepEqual(await found('\\'), [])
  assert.deepEqual(await found(`' or true --`), [])
})

test('returns private fields of the caller only', async () => {
  await using at = await start('http2')
  await insert(at, people)
  const { users } = await at.client.searchUsers({ query: 'lee' }, as('ann'))
  const open = users.filter((user) => user.private)
  assert.deepEqual(
    open.map(({ username }) => username),
    ['ann'],
  )
})

test('requires a signed-in caller and a query', async () => {
  await using at = await start('http2')
  const anonymous = await failureOf(at.client.searchUsers({ query: 'a' }, asAnonymous()))
  assert.equal(anonymous.code, Code.Unauthenticated)
  for (const query of ['', '  ', 'a\0', 'x'.repeat(302)]) {
    const failure = await failureOf(at.client.searchUsers({ query }, as('ann')))
    const expected = { code: Code.InvalidArgument, error: 'invalid_request', fields: ['q'] }
    assert.deepEqual(failure, expected)
  }
})

test('returns 20 users by default and at most 100, without inactive ones', async () => {
  await using at = await start('local')
  await insert(
    at,
    Array.from({ length: 150 }, (_, n) => [`user${n}`, '', '']),
  )
  await at.db
    .updateTable('account')
    .set({ is_active: false })
    .where('username', '=', 'user0')
    .execute()
  for (const [pageSize, length] of [
    [0, 20],
    [-1, 20],
    [30, 30],
    [100, 100],
    [1000, 100],
  ] as const) {
    const { users } = await at.client.searchUsers({ query: 'user', pageSize }, as('ann'))
    assert.equal(users.length, length)
    assert.ok(!users.some(({ username }) => username === 'user0'))
  }
})

test('the search uses its indexes', async () => {
  await using at = await start('local')
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select 'u' || n, '', md5(n::text), md5((n + 1)::text), '' from generate_series(1, 20000) n`.execute(
    at.db,
  )
  await sql`analyze account`.execute(at.db)
  const plan = await searchQuery(at.db, 'u777', 20).explain()
  const text = JSON.stringify(plan)
  assert.match(text, /BitmapOr/)
  assert.doesNotMatch(text, /Seq Scan/)
})
