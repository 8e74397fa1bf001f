import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { migrate } from '../src/db/migrate.js'
import { createPool } from '../src/db/pool.js'
import { defineJob } from '../src/jobs/index.js'
import { jobMigrations } from '../src/jobs/migrations.js'
import { createLogger } from '../src/log.js'
import { createTestDatabase } from '../src/testing/index.js'
import { createRecord, openQueue } from './queue.js'

const schema = 'things'

/** The statements of the version before request ids and traces of jobs, on one connection. */
function oldProcess(url: string) {
  const log = createLogger('test', 'silent')
  const pool = createPool({ url, schema, connectionsMax: 1, log })
  const worker = randomUUID()
  return {
    pool,
    enqueue: (n: number) =>
      pool.query({
        name: 'enqueue',
        text: 'select enqueue_job($1, $2, $3, $4, $5, $6, $7)',
        values: ['note', null, String(n), null, 0, null, 3],
      }),
    /** Claims and completes. */
    async claim() {
      const { rows } = await pool.query<{ payload: number }>({
        name: 'claim',
        text: 'select id, name, payload, attempts, attempts_max from claim_jobs($1, $2, $3, $4)',
        values: [worker, 1, ['note'], [null]],
      })
      await pool.query('delete from job where worker = $1', [worker])
      return rows.map(({ payload }) => payload)
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

test('a process of the previous version enqueues and claims beside a new one', async () => {
  await using database = await createTestDatabase()
  await using old = oldProcess(database.url)
  await migrate(old.pool, schema, jobMigrations.slice(0, 1))
  await old.enqueue(1)
  assert.deepEqual(await old.claim(), [1])
  await using queue = openQueue(database.url)
  await queue.migrate()
  await old.enqueue(2)
  await old.enqueue(3)
  assert.deepEqual(await old.claim(), [2])
  const record = createRecord<number>()
  const note = defineJob<object, number>({
    name: 'note',
    attemptsMax: 3,
    timeoutMs: 1000,
    run: async (_, n) => record.add(n),
  })
  await using _ = await queue.start([note])
  await queue.enqueue(note, 4)
  const seen = await record.waitForCount(2)
  assert.deepEqual([...seen].sort(), [3, 4])
})
