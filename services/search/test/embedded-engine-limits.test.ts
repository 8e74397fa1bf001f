import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { findDocuments } from '../src/engine/embedded/find-documents.js'
import { createPartitions, publishPartitions } from '../src/engine/embedded/generations.js'
import { findLimits } from '../src/engine/embedded/limits.js'
import { parseQuery } from '../src/text/parse-query.js'
import { type EngineDatabase, startEngineDatabase } from './engine-service.js'

const generation = 1
const objects = 20_000
const limits = {
  ...{ ...findLimits, matchedMax: 1000, newestMax: 500, rankedMax: 50, enoughMax: 20 },
  candidatesMax: 50,
}
const [first = '', second = '', third = ''] = Array.from({ length: 4 }, () => randomUUID())
const everything = { roots: [first, second, third], recent: [] }

let at: EngineDatabase
before(async () => {
  at = await startEngineDatabase()
  const { db } = at
  await createPartitions(db, generation)
  // Each object is a second older than the one before it. The third workspace has the oldest 100 objects.
  await sql`
    insert into place (id, type, workspace_id, created_on)
    select lpad(to_hex(n), 32, '0')::uuid, 'figure',
           case when n > ${objects - 100} then ${third}::uuid when n % 2 = 0 then ${first}::uuid
                else ${second}::uuid end, '2024-01-01'::timestamptz - n * interval '1 second'
      from generate_series(1, ${objects}) n`.execute(db)
  // All have `often`, as the only word of their code; one of 100 has `rare`, too; the newest 1000 have not `old`.
  // `mixed`: the newest 5, and those from 3001 on. `theirs`: those of the first workspace, and old ones of the second.
  await sql`
    insert into entry (generation, id, words, title_words, texts)
    select ${generation}, lpad(to_hex(n), 32, '0')::uuid,
           ('often:9 common:10' || case when n % 100 = 0 then ' rare:11' else '' end
             || case when n > 1000 then ' old:12' else '' end
             || case when n <= 5 or n > 3000 then ' mixed:13' else '' end
             || case when n % 2 = 0 or n > 15000 then ' theirs:14' else '' end)::tsvector, 1, ''
      from generate_series(1, ${objects}) n`.execute(db)
  await publishPartitions(db, generation)
  await sql`vacuum analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const numberOf = (id: string) => Number.parseInt(id.replaceAll('-', ''), 16)

type Asked = { match?: 'all' | 'any'; roots?: string[]; limit?: number; offset?: number }

/** The numbers of the found objects, and how many rows of each table were read by an index. */
async function find(text: string, asked: Asked = {}, changed: Partial<typeof limits> = {}) {
  const { match = 'all', limit = 10, offset = 0, roots = everything.roots } = asked
  return at.transact(async (tx) => {
    const before = await rowsRead(tx)
    const page = { limit, offset, withHighlights: false }
    const filter = { roots, recent: [] }
    const query = parseQuery(text, match)
    const hits = await findDocuments(tx, query, filter, page, { ...limits, ...changed })
    const read = await rowsRead(tx)
    return {
      found: hits.map(({ id }) => numberOf(id)),
      places: read.place - before.place,
      entries: read.entry - before.entry,
    }
  })
}

async function rowsRead(tx: Tx) {
  const { rows } = await sql<{ relname: string; rows: string }>`
    select relname, coalesce(idx_tup_fetch, 0) + seq_tup_read as rows from pg_stat_xact_user_tables
     where relname in ('place', 'entry_1')`.execute(tx)
  const of = (name: string) => Number(rows.find(({ relname }) => relname === name)?.rows ?? 0)
  return { place: of('place'), entry: of('entry_1') }
}

test('a query of frequent words reads a bounded number of rows', async () => {
  for (const text of ['often', 'often common', '"often common"', 'often -missing', 'ofte']) {
    const { found, places, entries } = await find(text)
    assert.deepEqual(found, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], text)
    // The newest of each of three workspaces.
    assert.ok(places <= 3 * limits.newestMax + 10, `${text}: ${places} places`)
    assert.ok(entries <= limits.matchedMax + 2 * limits.rankedMax + 500, `${text}: ${entries}`)
  }
  const unbounded = await find('often', {}, { matchedMax: 1e6, rankedMax: 1e6 })
  assert.ok(unbounded.places >= objects && unbounded.entries >= objects)
})

test('a query of one of several frequent words reads a bounded number of rows', async () => {
  for (const roots of [everything.roots, [third]]) {
    const { found, places, entries } = await find('often common old rare', { match: 'any', roots })
    assert.equal(found.length, 10)
    const matched = limits.matchedMax + 4 * 500
    assert.ok(places <= matched + 3 * limits.newestMax, `${places} places`)
    assert.ok(
      entries <= matched + limits.newestMax + 4 * limits.candidatesMax,
      `${entries} entries`,
    )
  }
})

test('the newest objects with frequent words are found in a stable order, page by page', async () => {
  const { found: all } = await find('often common', { limit: 100 })
  assert.deepEqual(
    all,
    Array.from({ length: limits.rankedMax }, (_, n) => n + 1),
  )
  const paged: number[] = []
  for (let offset = 0; offset < 70; offset += 7)
    paged.push(...(await find('often common', { limit: 7, offset })).found)
  assert.deepEqual(paged, all)
})

test('frequent words are found in all objects of a caller who has few', async () => {
  const { found } = await find('often', { roots: [third], limit: 3 })
  assert.deepEqual(found, [objects - 99, objects - 98, objects - 97])
  const any = await find('often common', { roots: [third], limit: 1000, match: 'any' })
  assert.ok(any.found.length > 0 && any.found.every((n) => n > objects - 100))
})

test('a frequent word is found, even if few or none of the newest objects have it', async () => {
  const old = await find('old')
  assert.deepEqual(old.found, range(1001, 10))
  const lookedUp = 3 * limits.newestMax + objects
  assert.ok(old.places <= lookedUp, `${old.places} places`)
  assert.ok(old.entries <= limits.matchedMax + objects + 2 * limits.newestMax, `${old.entries}`)
  assert.deepEqual((await find('old', { roots: [third], limit: 1 })).found, [objects - 99])
  assert.deepEqual((await find('mixed')).found, [...range(1, 5), ...range(3001, 5)])
  assert.deepEqual((await find('mixed', { offset: 5, limit: 3 })).found, range(3001, 3))
  assert.deepEqual((await find('theirs', { roots: [second], limit: 2 })).found, [15_001, 15_003])
  assert.deepEqual((await find('often rare', { limit: 2 })).found, [100, 200])
})

test('one of several frequent words is found, even if none of the newest objects has it', async () => {
  const asked: Asked = { match: 'any', roots: [second], limit: 100 }
  const { found } = await find('theirs unknown', asked)
  assert.equal(found.length, limits.candidatesMax)
  assert.ok(found.every((n) => n > 15_000 && n % 2 === 1))
})

test('a term with enough candidates reads no more of its matches', async () => {
  const { found, entries } = await find('often common', { match: 'any' }, { matchedMax: 10_000 })
  assert.equal(found.length, 10)
  assert.ok(entries <= 10 * limits.candidatesMax, `${entries} entries`)
})

test('the number of matches that are looked up is limited', async () => {
  const { found, places, entries } = await find('old', {}, { lookedUpMax: 1500 })
  assert.equal(found.length, 10)
  assert.ok(places <= 3 * limits.newestMax + 1501, `${places} places`)
  assert.ok(entries <= limits.matchedMax + 1501 + 2 * limits.newestMax, `${entries} entries`)
})

const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
