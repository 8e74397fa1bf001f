import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NodeType } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import { indexChanges } from '../src/indexing/index-changes.js'
import { rebuildIndex } from '../src/indexing/rebuild.js'
import { rebuildKey, rebuildName } from '../src/jobs/rebuild-name.js'
import { claimChanges, countChanges, finishChanges, insertChanges } from '../src/queries/changes.js'
import { listGenerations } from '../src/queries/generations.js'
import { type Started, start } from './test-service.js'
import type { Thing } from './world.js'

// Two processes of the service with one database.
let one: Started
let two: Started
let analysis: Thing
before(async () => {
  one = await start()
  const { world, databaseUrl } = one
  two = await start({ world, databaseUrl })
  const workspace = world.add(NodeType.WORKSPACE)
  analysis = world.add(NodeType.ANALYSIS, workspace)
  world.share('ann', workspace)
})
after(async () => {
  await two[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
})

const { signal } = new AbortController()
let words = 0
const newWord = () => `rq${(words++).toString(36)}zz`
const addFigures = (count: number, name: string) =>
  Array.from({ length: count }, () => one.world.add(NodeType.FIGURE, analysis, { name }))
const idsOf = (things: Thing[]) => things.map(({ id }) => id)
const partitions = async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('entry'::regclass, 'word'::regclass) order by 1`.execute(one.ctx.db)
  return rows.map(({ name }) => name)
}
const liveOf = async () => {
  const [live, ...others] = await listGenerations(one.ctx.db)
  assert.deepEqual(others, [])
  assert.equal(live?.state, 'live')
  return live?.generation ?? 0
}

test('they share the changes: all are indexed as they are at the end, by both', async () => {
  const [early, late] = [newWord(), newWord()]
  const figures = addFigures(900, early)
  const ids = idsOf(figures)
  await insertChanges(one.ctx.db, ids)
  one.ctx.indexer.wake()
  two.ctx.indexer.wake()
  for (const figure of figures) {
    figure.name = late
    await insertChanges(one.ctx.db, [figure.id])
  }
  one.ctx.indexer.wake()
  await one.settled()
  assert.deepEqual(await one.find('ann', early), [])
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from entry where id = any(${ids}::uuid[])`.execute(one.ctx.db)
  assert.equal(rows[0]?.found, figures.length)
  assert.equal((await two.find('ann', late)).length, 100, 'as many as a search returns')
})

test('what a process read earlier than another does not replace it', async () => {
  const [early, late] = [newWord(), newWord()]
  const [figure] = addFigures(1, late) as [Thing]
  await one.index(figure)
  figure.name = early
  const { id } = figure
  const read = { id, seq: 0n, attempts: 1, movesSubtree: false, renamesRevisions: false }
  await indexChanges(two.ctx, [{ ...read, claimed_on: '2026-01-01 00:00:00+00' }], signal)
  figure.name = late
  assert.deepEqual(await one.find('ann', early), [])
  assert.deepEqual(await one.find('ann', late), [id])
  assert.equal(await countChanges(one.ctx.db), 1n, 'it is read again')
  two.ctx.indexer.wake()
  await two.settled()
})

test('a change during the statement that ends the indexing is due at once', async () => {
  const { db } = one.ctx
  const [figure] = addFigures(1, newWord()) as [Thing]
  const { id } = figure
  await insertChanges(db, [id])
  const claimed = await claimChanges(db, 10, 60_000)
  let finishing: Promise<boolean> | undefined
  await db.transaction().execute(async (tx) => {
    await insertChanges(tx, [id])
    finishing = finishChanges(db, claimed)
    await sleep(200)
  })
  assert.equal(await finishing, true)
  const again = await claimChanges(db, 10, 60_000)
  assert.deepEqual(
    again.map((change) => change.id),
    [id],
  )
  await finishChanges(db, again)
})

test('a process whose claim had ended marks what it wrote: it may be older', async () => {
  const { db } = one.ctx
  const { id } = addFigures(1, newWord())[0] as Thing
  await insertChanges(db, [id])
  const frozen = await claimChanges(db, 10, 0)
  await sleep(2)
  const other = await claimChanges(db, 10, 60_000)
  assert.deepEqual(
    [...frozen, ...other].map((change) => change.id),
    [id, id],
  )
  assert.equal(await finishChanges(db, other), false)
  assert.equal(await countChanges(db), 0n)
  assert.equal(await finishChanges(db, frozen), true)
  assert.equal(await countChanges(db), 1n)
  one.ctx.indexer.wake()
  await one.settled()
})

test('changes that a killed process has claimed are indexed when its claim ends', async () => {
  const { db } = one.ctx
  const word = newWord()
  const figures = addFigures(3, word)
  await insertChanges(db, idsOf(figures))
  assert.equal((await claimChanges(db, 10, 1500)).length, 3)
  two.ctx.indexer.wake()
  await sleep(300)
  assert.deepEqual(await two.find('ann', word), [])
  await two.settled()
  assert.equal((await two.find('ann', word)).length, 3)
})

test('a rebuild that is requested twice runs once', async () => {
  const before = await liveOf()
  const { ctx } = one
  await ctx.transact(async (tx) => {
    for (const each of [one, two]) await each.ctx.enqueue(tx, rebuildName, {}, { key: rebuildKey })
  })
  while ((await listGenerations(ctx.db)).every(({ generation }) => generation <= before))
    await sleep(5)
  await one.settled()
  while ((await listGenerations(ctx.db)).length > 1) await sleep(10)
  const live = await liveOf()
  assert.equal(live, before + 1)
  assert.deepEqual(await partitions(), [`entry_${live}`, `word_${live}`])
})

test('two processes that rebuild at once build one index', async () => {
  const word = newWord()
  const figures = addFigures(50, word)
  await one.index(...figures)
  const before = await liveOf()
  await Promise.all([one, two].map(({ ctx }) => rebuildIndex(ctx, signal, () => {})))
  const live = await liveOf()
  assert.ok(live > before)
  assert.deepEqual(await partitions(), [`entry_${live}`, `word_${live}`])
  assert.deepEqual((await two.find('ann', word)).sort(), idsOf(figures).sort())
})

test('an index that a killed process has not dropped is dropped later', async () => {
  const { ctx } = one
  const live = await liveOf()
  await ctx.engine.create(live + 1)
  await sql`
    insert into index_generation (generation, state, engine, version)
    values (${live + 1}, 'old', ${ctx.engine.name}, 'x'), (${live + 2}, 'old', 'another', 'x')
  `.execute(ctx.db)
  assert.equal((await partitions()).length, 4)
  await rebuildIndex(ctx, signal, () => {})
  assert.deepEqual(await partitions(), [`entry_${live + 3}`, `word_${live + 3}`])
  const left = await listGenerations(ctx.db)
  assert.deepEqual(
    left.map(({ generation, state, engine }) => [generation, state, engine]),
    [
      [live + 2, 'old', 'another'],
      [live + 3, 'live', ctx.engine.name],
    ],
  )
})

test('all revisions of a renamed figure are marked, however many there are', async () => {
  const { db } = one.ctx
  const [figure] = addFigures(1, newWord()) as [Thing]
  await one.index(figure)
  await sql`
    insert into place (id, type, workspace_id, item_id, created_on)
    select gen_random_uuid(), 'figure_revision', gen_random_uuid(), ${figure.id}::uuid, now()
      from generate_series(1, 2500)`.execute(db)
  // They do not exist in the stub of catalog: the service removes them.
  const { id } = figure
  const renamed = { id, seq: 0n, attempts: 1, movesSubtree: false, renamesRevisions: true }
  const [{ now }] = (await sql<{ now: string }>`select now()::text as now`.execute(db)).rows as [
    { now: string },
  ]
  await indexChanges(one.ctx, [{ ...renamed, claimed_on: now }], signal)
  one.ctx.indexer.wake()
  await one.settled()
  const { rows } = await sql`
    select from place where item_id = ${id}::uuid and type = 'figure_revision'`.execute(db)
  assert.equal(rows.length, 0)
})
