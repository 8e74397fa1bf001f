import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Logger } from '@figbase/kit/log'
import { sql } from 'kysely'
import { SearchUnavailable } from '../src/engine/port.js'
import { keptVectors } from '../src/similar/kept-vectors.js'
import { type EngineDatabase, startEngineDatabase } from './engine-service.js'

const workspace = randomUUID()
const model = 'a model'
const query = Float32Array.of(1, 0)

let at: EngineDatabase
before(async () => {
  at = await startEngineDatabase()
})
after(() => at[Symbol.asyncDispose]())

/** The threads of this process. */
const threads: Worker[] = []
const onThread = (thread: Worker) => void threads.push(thread)
process.on('worker', onThread)
after(() => process.off('worker', onThread))

const lines: { message: string; fields: Record<string, unknown> }[] = []
const write = (fields: Record<string, unknown>, message: string) =>
  void lines.push({ message, fields })
const log = { info: write, warn: write } as unknown as Logger
const linesOf = (text: RegExp) => lines.filter(({ message }) => text.test(message))

let kept: ReturnType<typeof open>
const open = (loadTimeoutMs: number) =>
  keptVectors(
    model,
    { dimensions: 2, exactRowsMax: 100, rowsMax: 100 },
    { db: at.db, log, loadTimeoutMs },
  )

beforeEach(async () => {
  lines.length = 0
  threads.length = 0
  await sql`truncate likeness, place`.execute(at.db)
})
afterEach(() => kept[Symbol.asyncDispose]())

async function insert(vectors: number[][]): Promise<string[]> {
  const ids = vectors.map(() => randomUUID())
  for (const [n, id] of ids.entries()) {
    const vector = Buffer.from(Float32Array.from(vectors[n] ?? []).buffer)
    await sql`insert into place (id, type, workspace_id, created_on)
      values (${id}, 'figure_revision', ${workspace}, now())`.execute(at.db)
    await sql`insert into likeness (revision_id, model, vector) values (${id}, ${model}, ${vector})`.execute(
      at.db,
    )
  }
  return ids
}

const find = () =>
  kept.use(async (index) => {
    const found = await index.nearest(query, { roots: [workspace], recent: [] }, 10)
    return found.map(({ id }) => id)
  })

test('is loaded without a search, and says so once', async () => {
  const ids = await insert([
    [1, 0],
    [0, 1],
  ])
  kept = open(20_000)
  kept.start()
  while (linesOf(/in memory/).length === 0) await sleep(5)
  assert.deepEqual(await find(), ids)
  const [line, ...others] = linesOf(/./)
  assert.deepEqual([line?.message, line?.fields.vectors], ['the vectors are in memory', 2])
  assert.ok(Number(line?.fields.ms) >= 0)
  assert.deepEqual(others, [])
})

test('a search waits for it for a bounded time only', async () => {
  const ids = await insert([[1, 0]])
  kept = open(100)
  await at.transact(async (tx) => {
    await sql`lock table likeness in access exclusive mode`.execute(tx)
    kept.start()
    await assert.rejects(find(), (err) => {
      assert.ok(err instanceof SearchUnavailable)
      assert.match(err.message, /the vectors were not in memory within 100 ms/)
      return true
    })
  })
  while (linesOf(/in memory/).length === 0) await sleep(5)
  assert.deepEqual(await find(), ids)
})

test('a failed load is tried again', async () => {
  await insert([[1, 0, 0, 0]])
  kept = open(20_000)
  kept.start()
  while (linesOf(/failed/).length === 0) await sleep(5)
  await sql`truncate likeness`.execute(at.db)
  assert.deepEqual(await find(), [])
  assert.deepEqual(linesOf(/failed/)[0]?.fields.retryMs, 1000)
})

test('another thread takes the place of one that ended, with all that it had, later each time', async () => {
  const [first] = await insert([[1, 0]])
  kept = open(20_000)
  kept.start()
  assert.deepEqual(await find(), [first])
  for (let ends = 1; ends <= 2; ends++) {
    const underWay = kept.use((index) => {
      void threads.at(-1)?.terminate()
      return index.nearest(query, { roots: [workspace], recent: [] }, 10)
    })
    await assert.rejects(underWay, SearchUnavailable)
    const [added] = await insert([[0.8, 0.6]])
    const found = await find()
    assert.equal(found.length, 1 + ends)
    assert.deepEqual([found[0], found.includes(added ?? '')], [first, true])
    assert.equal(threads.length, 1 + ends)
  }
  assert.deepEqual(
    linesOf(/another thread/).map(({ fields }) => fields.retryMs),
    [1000, 2000],
  )
  assert.equal(linesOf(/are in memory/).length, 3)
})

test('ends while it loads and while it waits to load', async () => {
  await insert([[1, 0]])
  kept = open(20_000)
  kept.start()
  await kept[Symbol.asyncDispose]()
  kept = open(20_000)
  kept.start()
  await find()
  await threads.at(-1)?.terminate()
  await kept[Symbol.asyncDispose]()
  assert.deepEqual(linesOf(/failed/), [])
})
