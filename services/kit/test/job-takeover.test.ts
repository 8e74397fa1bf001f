import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createPool } from '../src/db/pool.js'
import { takeOverJobs } from '../src/jobs/job-takeover.js'
import { migrateJobs } from '../src/jobs/jobs.js'
import { createLogger } from '../src/log.js'
import { createTestDatabase } from '../src/testing/index.js'

const service = 'revisions'
const schema = 'jobs'

async function addTakenJob(pool: pg.Pool, worker: string) {
  await pool.query(`select ${schema}.add_job('revisions.note')`)
  await pool.query(
    `update ${schema}._private_jobs set locked_by = $1, locked_at = now() where locked_by is null`,
    [worker],
  )
}

async function holders(pool: pg.Pool) {
  const { rows } = await pool.query<{ locked_by: string | null }>(
    `select locked_by from ${schema}._private_jobs order by id`,
  )
  return rows.map((row) => row.locked_by)
}

test('the jobs of workers that died are free when the next process starts, not before', async () => {
  await using database = await createTestDatabase()
  const log = createLogger('test', 'fatal')
  const options = { url: database.url, schema: service, connectionsMax: 4, log }
  const pool = createPool({ ...options, plainTypes: true })
  try {
    await migrateJobs(pool)
    await addTakenJob(pool, 'killed')
    {
      await using _first = await takeOverJobs(pool, service)
      assert.deepEqual(await holders(pool), [null])

      await addTakenJob(pool, 'of the first')
      await using _second = await takeOverJobs(pool, service)
      assert.deepEqual(await holders(pool), ['of the first', 'of the first'])
    }
    await using _third = await takeOverJobs(pool, service)
    assert.deepEqual(await holders(pool), [null, null])
  } finally {
    await pool.end()
  }
})
