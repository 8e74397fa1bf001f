import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { sealedColumn } from '../src/db/index.js'
import { createDb, createPool } from '../src/db/pool.js'
import { keysFrom, seal, unseal } from '../src/keys/index.js'
import { createLogger } from '../src/log.js'
import type { OpenData } from '../src/service/index.js'
import { createTestDatabase, databaseAt, type TestDatabase } from '../src/testing/index.js'

const column = sealedColumn({
  purpose: 'hidden',
  table: 'kept',
  column: 'secret',
  contextColumns: ['place', 'owner'],
  contextOf: ({ place, owner }) => `${place}/${owner}`,
})
const old = keysFrom('old')
const rotated = keysFrom('new', ['old'])

let database: TestDatabase
let client: pg.Client
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  await client.query(`create schema vault; set search_path = vault;
    create table kept (id uuid primary key, place text, owner text, secret bytea not null)`)
})
after(async () => {
  await client.end()
  await database[Symbol.asyncDispose]()
})

function open(): OpenData<unknown> {
  const log = createLogger('test', 'silent')
  const pool = createPool({ url: database.url, schema: 'vault', connectionsMax: 2, log })
  const db = createDb<unknown>(pool)
  const refuse = () => Promise.reject(new Error('one statement is enough'))
  return {
    db,
    database: databaseAt(database.url),
    write: (run) => run(db),
    enqueue: async () => {},
    transact: refuse,
    log,
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

async function insert(secret: Buffer, id: string = randomUUID()) {
  await client.query(`insert into kept values ($1, 'here', 'ann', $2)`, [id, secret])
  return id
}

const stored = async () =>
  (await client.query<{ id: string; secret: Buffer }>('select id, secret from kept')).rows

test('seals values of other keys again, once, with the same content', async () => {
  await client.query('delete from kept')
  const context = 'here/ann'
  const ring = old.derive('hidden')
  const texts = new Map<string, string>()
  for (let n = 0; n < 250; n++)
    texts.set(await insert(seal(ring, `secret ${n}`, context)), `secret ${n}`)
  const fresh = seal(rotated.derive('hidden'), 'fresh', context)
  texts.set(await insert(fresh), 'fresh')
  const empty = await insert(Buffer.alloc(0))
  await using data = open()
  assert.deepEqual(await column.reseal(data, rotated), { resealed: 250, unreadable: [] })
  const rows = await stored()
  assert.equal(rows.length, 252)
  const only = keysFrom('new').derive('hidden')
  for (const { id, secret } of rows) {
    if (id === empty) assert.equal(secret.length, 0)
    else assert.equal(unseal(only, secret, context), texts.get(id))
  }
  assert.ok(
    rows.some(({ secret }) => secret.equals(fresh)),
    'what was sealed so already stays',
  )
  assert.deepEqual(await column.reseal(data, rotated), { resealed: 0, unreadable: [] })
  assert.deepEqual(await stored(), rows)
})

test('reports unreadable values and leaves them unchanged', async () => {
  await client.query('delete from kept')
  const ring = old.derive('hidden')
  const lost = [
    await insert(seal(keysFrom('lost').derive('hidden'), 'a', 'here/ann')),
    await insert(seal(ring, 'a', 'elsewhere/ann')),
    await insert(Buffer.from('not sealed at all, but long enough for it')),
    await insert(Buffer.of(2)),
  ]
  const fine = await insert(seal(ring, 'fine', 'here/ann'))
  const before = await stored()
  await using data = open()
  const { resealed, unreadable } = await column.reseal(data, rotated)
  assert.deepEqual([resealed, unreadable.sort()], [1, lost.sort()])
  const keep = ({ id }: { id: string }) => id !== fine
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
  assert.deepEqual((await stored()).filter(keep).sort(byId), before.filter(keep).sort(byId))
})

test('does not overwrite concurrent changes', async () => {
  await client.query('delete from kept')
  const ring = rotated.derive('hidden')
  const id = await insert(seal(old.derive('hidden'), 'before', 'here/ann'))
  await using data = open()
  const racing: OpenData<unknown> = {
    ...data,
    async write(run) {
      const secret = seal(ring, 'meanwhile', 'here/ann')
      await client.query('update kept set secret = $2 where id = $1', [id, secret])
      return run(data.db)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  assert.deepEqual(await column.reseal(racing, rotated), { resealed: 0, unreadable: [] })
  const [row] = await stored()
  assert.equal(unseal(ring, row?.secret ?? Buffer.alloc(0), 'here/ann'), 'meanwhile')
})
