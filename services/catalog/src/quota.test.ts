import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import type { CompiledQuery } from 'kysely'
import type { Ctx } from './context.js'
import type { Db, Tx } from './db/schema.js'
import {
  checkNewUser,
  checkStorageUsage,
  checkUserCount,
  createStorageLimited,
  reserveStorage,
  storageQuota,
} from './quota.js'

type Stored = {
  bytesMax?: bigint
  usersMax?: number
  used?: bigint
  users?: number
  isIn?: boolean
}

/** A stub database with one holder; `statements` collects the executed statements, in order. */
function databaseWith({ bytesMax, usersMax, used = 0n, users = 0, isIn = false }: Stored) {
  const statements: string[] = []
  const plan = { max_storage_bytes: bytesMax ?? null, max_users: usersMax ?? null }
  const responses: [what: string, text: string, row: object][] = [
    ['lock', 'pg_advisory_xact_lock', {}],
    ['plan', 'as holder_id', { ...plan, holder_id: 'holder' }],
    ['bytes', 'm.held_bytes', { used }],
    ['users', 'count(distinct g.subject)', { users, is_counted: isIn }],
    ['limited', 'is_limited', { is_limited: bytesMax !== undefined }],
  ]
  const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
    const [what, , row] = responses.find(([, text]) => sql.includes(text)) ?? assert.fail(sql)
    statements.push(`${what} of ${parameters.filter((one) => one !== 'plan of').join(' ')}`.trim())
    return { rows: [row] }
  }
  return { db: { executeQuery } as unknown as Db & Tx, statements }
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

test('the bytes left are the limit minus the usage, at least 0', async () => {
  const quota = async (stored: Stored) => storageQuota(databaseWith(stored).db, 'node')
  assert.equal(await quota({ used: 5n }), undefined)
  const holderId = 'holder'
  assert.deepEqual(await quota({ bytesMax: 10n, used: 4n }), { limit: 10n, left: 6n, holderId })
  assert.deepEqual(await quota({ bytesMax: 10n, used: 11n }), { limit: 10n, left: 0n, holderId })
})

/** The reserved bytes, and the executed statements. */
async function reserve(stored: Stored, bytes: bigint, isLimited = true) {
  const { db, statements } = databaseWith(stored)
  const ctx = {
    isStorageLimited: async () => isLimited,
    write: (work: (db: Db) => unknown) => work(db),
    transact: (work: (tx: Tx) => unknown) => {
      statements.push('begin')
      return work(db)
    },
  } as unknown as Ctx
  const reserved = await reserveStorage(ctx, 'node', bytes, async (_, reserved) => reserved)
  return { reserved, statements }
}

test('reserves bytes against the plan under a lock', async () => {
  const statements = ['begin', 'plan of node', 'lock of holder', 'plan of node', 'bytes of holder']
  const stored = { bytesMax: 10n, used: 4n }
  assert.deepEqual(await reserve(stored, 6n), { reserved: 6n, statements })
  await assert.rejects(
    reserve(stored, 7n),
    refusal('max_storage_bytes', 'the plan allows 10 bytes of storage, of which 6 are left'),
  )
})

test('reserves nothing without a limit', async () => {
  const stored = { bytesMax: 10n, used: 20n }
  for (const bytes of [0n, -1n]) {
    assert.deepEqual(await reserve(stored, bytes), { reserved: null, statements: [] })
  }
  assert.deepEqual(await reserve(stored, 1n, false), { reserved: null, statements: [] })
  assert.equal((await reserve({ used: 20n }, 1n)).reserved, null)
})

test('checkStorageUsage accepts usage up to the limit', async () => {
  const full = databaseWith({ bytesMax: 10n, used: 10n })
  await checkStorageUsage(full.db, 'node')
  assert.deepEqual(full.statements, lockedBytes)
  const unlimited = databaseWith({ used: 10n })
  await checkStorageUsage(unlimited.db, 'node')
  assert.deepEqual(unlimited.statements, ['plan of node'])
  await assert.rejects(
    checkStorageUsage(databaseWith({ bytesMax: 10n, used: 11n }).db, 'node'),
    refusal('max_storage_bytes', 'the plan allows 10 bytes of storage, and this would use 11'),
  )
})

test('checkUserCount accepts as many members as the plan allows', async () => {
  const full = databaseWith({ usersMax: 2, users: 2 })
  await checkUserCount(full.db, 'node')
  assert.deepEqual(full.statements, lockedUsers(''))
  const unlimited = databaseWith({ users: 3 })
  await checkUserCount(unlimited.db, 'node')
  assert.deepEqual(unlimited.statements, ['plan of node'])
  await assert.rejects(
    checkUserCount(databaseWith({ usersMax: 2, users: 3 }).db, 'node'),
    refusal('max_users', 'the plan allows 2 members, and this would make 3'),
  )
})

test('checkNewUser accepts existing members, and new ones up to the limit', async () => {
  const free = databaseWith({ usersMax: 2, users: 1 })
  await checkNewUser(free.db, 'node', 'ada')
  assert.deepEqual(free.statements, lockedUsers('ada'))
  await checkNewUser(databaseWith({ usersMax: 2, users: 2, isIn: true }).db, 'node', 'ada')
  const unlimited = databaseWith({ users: 2 })
  await checkNewUser(unlimited.db, 'node', 'ada')
  assert.deepEqual(unlimited.statements, ['plan of node'])
  await assert.rejects(
    checkNewUser(databaseWith({ usersMax: 2, users: 2 }).db, 'node', 'ada'),
    refusal('max_users', 'the plan allows 2 members, and there are already 2'),
  )
})

test('caches for a second whether any plan limits storage, and retries after a failure', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { db, statements } = databaseWith({ bytesMax: 1n })
  const isLimited = createStorageLimited(db)
  for (const [at, count] of [
    [0, 1],
    [1000, 1],
    [1001, 2],
    [2001, 2],
  ] as const) {
    now = at
    assert.equal(await isLimited(), true)
    assert.equal(statements.length, count, `after ${at} ms`)
  }
  const executeQuery = mock.fn(async () => {
    if (executeQuery.mock.callCount() === 0) throw new Error('gone')
    return { rows: [{ is_limited: false }] }
  })
  const failing = createStorageLimited({ executeQuery } as unknown as Db)
  await assert.rejects(failing(), /gone/)
  assert.equal(await failing(), false)
})
