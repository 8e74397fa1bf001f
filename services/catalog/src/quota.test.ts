import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit'
import type { CompiledQuery } from 'kysely'
import type { Ctx } from './context.js'
import type { Db, Tx } from './db/schema.js'
import {
  checkArrival,
  checkUsers,
  checkUsersCome,
  createStorageLimited,
  storageQuota,
  withinStorage,
} from './quota.js'

type Stored = {
  bytesMax?: bigint
  usersMax?: number
  used?: bigint
  users?: number
  isIn?: boolean
}

/** A database that knows of one holder; `asked` are the statements, in their order. */
function databaseWith({ bytesMax, usersMax, used = 0n, users = 0, isIn = false }: Stored) {
  const asked: string[] = []
  const plan = { max_storage_bytes: bytesMax ?? null, max_users: usersMax ?? null }
  const answers: [what: string, text: string, row: object][] = [
    ['lock', 'pg_advisory_xact_lock', {}],
    ['plan', 'as holder_id', { ...plan, holder_id: 'holder' }],
    ['bytes', 'm.held_bytes', { used }],
    ['users', 'count(distinct g.subject)', { users, is_counted: isIn }],
    ['limited', 'is_limited', { is_limited: bytesMax !== undefined }],
  ]
  const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
    const [what, , row] = answers.find(([, text]) => sql.includes(text)) ?? assert.fail(sql)
    asked.push(`${what} of ${parameters.filter((one) => one !== 'plan of').join(' ')}`.trim())
    return { rows: [row] }
  }
  return { db: { executeQuery } as unknown as Db & Tx, asked }
}

const refusal = (limit: 'max_storage_bytes' | 'max_users', text: string) => (error: unknown) => {
  assert.ok(error instanceof ConnectError)
  assert.equal(error.message, `[permission_denied] ${text}`)
  return detailOf(error)?.error === limit
}
const lockedBytes = ['plan of node', 'lock of holder', 'bytes of holder']
const lockedUsers = (subject: string) => [
  'plan of node',
  'lock of holder',
  `users of holder ${subject}`.trim(),
]

test('a plan has left what it allows without what is used, and never less than nothing', async () => {
  const quota = async (stored: Stored) => storageQuota(databaseWith(stored).db, 'node')
  assert.equal(await quota({ used: 5n }), undefined)
  const holderId = 'holder'
  assert.deepEqual(await quota({ bytesMax: 10n, used: 4n }), { limit: 10n, left: 6n, holderId })
  assert.deepEqual(await quota({ bytesMax: 10n, used: 11n }), { limit: 10n, left: 0n, holderId })
})

/** What is held, in which way it is written, and what was asked. */
async function reserving(stored: Stored, bytes: bigint, isLimited = true) {
  const { db, asked } = databaseWith(stored)
  const ctx = {
    isStorageLimited: async () => isLimited,
    write: (work: (db: Db) => unknown) => work(db),
    transact: (work: (tx: Tx) => unknown) => {
      asked.push('begin')
      return work(db)
    },
  } as unknown as Ctx
  const held = await withinStorage(ctx, 'node', bytes, async (_, held) => held)
  return { held, asked }
}

test('what is reserved is held where a plan limits it, counted by one at a time', async () => {
  const asked = ['begin', 'plan of node', 'lock of holder', 'plan of node', 'bytes of holder']
  const stored = { bytesMax: 10n, used: 4n }
  assert.deepEqual(await reserving(stored, 6n), { held: 6n, asked })
  await assert.rejects(
    reserving(stored, 7n),
    refusal('max_storage_bytes', 'the plan allows 10 bytes of storage, and 6 are left'),
  )
})

test('where nothing limits it nothing is held', async () => {
  const stored = { bytesMax: 10n, used: 20n }
  for (const bytes of [0n, -1n]) {
    assert.deepEqual(await reserving(stored, bytes), { held: null, asked: [] })
  }
  assert.deepEqual(await reserving(stored, 1n, false), { held: null, asked: [] })
  assert.equal((await reserving({ used: 20n }, 1n)).held, null)
})

test('what comes into a workspace may fill the plan, and no more', async () => {
  const full = databaseWith({ bytesMax: 10n, used: 10n })
  await checkArrival(full.db, 'node')
  assert.deepEqual(full.asked, lockedBytes)
  const unlimited = databaseWith({ used: 10n })
  await checkArrival(unlimited.db, 'node')
  assert.deepEqual(unlimited.asked, ['plan of node'])
  await assert.rejects(
    checkArrival(databaseWith({ bytesMax: 10n, used: 11n }).db, 'node'),
    refusal(
      'max_storage_bytes',
      'the plan allows 10 bytes of storage, and with this there were 11',
    ),
  )
})

test('the members that come with a workspace may be as many as the plan allows', async () => {
  const full = databaseWith({ usersMax: 2, users: 2 })
  await checkUsersCome(full.db, 'node')
  assert.deepEqual(full.asked, lockedUsers(''))
  const unlimited = databaseWith({ users: 3 })
  await checkUsersCome(unlimited.db, 'node')
  assert.deepEqual(unlimited.asked, ['plan of node'])
  await assert.rejects(
    checkUsersCome(databaseWith({ usersMax: 2, users: 3 }).db, 'node'),
    refusal('max_users', 'the plan allows 2 members, and with this they were 3'),
  )
})

test('one more member needs a place, unless they are one already', async () => {
  const free = databaseWith({ usersMax: 2, users: 1 })
  await checkUsers(free.db, 'node', 'ada')
  assert.deepEqual(free.asked, lockedUsers('ada'))
  await checkUsers(databaseWith({ usersMax: 2, users: 2, isIn: true }).db, 'node', 'ada')
  const unlimited = databaseWith({ users: 2 })
  await checkUsers(unlimited.db, 'node', 'ada')
  assert.deepEqual(unlimited.asked, ['plan of node'])
  await assert.rejects(
    checkUsers(databaseWith({ usersMax: 2, users: 2 }).db, 'node', 'ada'),
    refusal('max_users', 'the plan allows 2 members, and they are 2 already'),
  )
})

test('whether any plan limits storage is asked once a second, and again after a failure', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { db, asked } = databaseWith({ bytesMax: 1n })
  const isLimited = createStorageLimited(db)
  for (const [at, count] of [
    [0, 1],
    [1000, 1],
    [1001, 2],
    [2001, 2],
  ] as const) {
    now = at
    assert.equal(await isLimited(), true)
    assert.equal(asked.length, count, `after ${at} ms`)
  }
  const executeQuery = mock.fn(async () => {
    if (executeQuery.mock.callCount() === 0) throw new Error('gone')
    return { rows: [{ is_limited: false }] }
  })
  const failing = createStorageLimited({ executeQuery } as unknown as Db)
  await assert.rejects(failing(), /gone/)
  assert.equal(await failing(), false)
})
