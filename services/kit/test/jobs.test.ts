import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { defineJob } from '../src/jobs/index.js'
import { actAsSystem } from '../src/rpc/index.js'
import { defineService, type Kit } from '../src/service/index.js'
import { startTestService } from '../src/testing/index.js'

type Ctx = Kit<{ thing: { id: string } }>

/** A service with an RPC that writes a row with a job, and fails afterwards on request. */
function serviceWithJob(run: (payload: { id: string }, attempt: number) => Promise<void> | void) {
  let attempts = 0
  const job = defineJob<Ctx, { id: string }>({
    name: 'note-thing',
    attemptsMax: 5,
    timeoutMs: 10_000,
    run: async (_, payload) => run(payload, ++attempts),
  })
  return defineService<object, { thing: { id: string } }, Ctx>({
    name: 'revisions',
    config: () => ({}),
    migrations: [{ name: '0001-thing', sql: 'create table thing (id text)' }],
    context: (kit) => kit,
    routes: (ctx) => (router) =>
      router.service(RevisionsService, {
        findExisting: async ({ ids: [id = '', then, key] }) => {
          await ctx.transact(async (tx) => {
            await tx.insertInto('thing').values({ id }).execute()
            await ctx.enqueue(tx, job, { id }, key ? { key } : {})
            if (then === 'fail') throw new Error('rolled back')
          })
          return {}
        },
        getRevision: async () => {
          const rows = await ctx.db.selectFrom('thing').selectAll().execute()
          return { revision: { sizeBytes: BigInt(rows.length) } }
        },
      }),
    jobs: [job],
  })
}

test('runs a job once after a commit and never after a rollback', async () => {
  const seen: string[] = []
  let gotLast: () => void = () => {}
  const last = new Promise<void>((resolve) => {
    gotLast = resolve
  })
  const service = serviceWithJob(({ id }) => {
    seen.push(id)
    if (id === 'last') gotLast()
  })
  await using at = await startTestService(service, { transport: 'local' })
  const client = at.client(RevisionsService)
  await client.findExisting({ ids: ['a "quoted" µ'] }, actAsSystem())
  await assert.rejects(client.findExisting({ ids: ['b', 'fail'] }, actAsSystem()))
  await client.findExisting({ ids: ['last'] }, actAsSystem())
  await last
  const { revision } = await client.getRevision({}, actAsSystem())
  assert.equal(revision?.sizeBytes, 2n)
  assert.deepEqual(seen.sort(), ['a "quoted" µ', 'last'])
})

test('retries a failed job until it succeeds', async () => {
  const attempts: number[] = []
  let succeed: () => void = () => {}
  const succeeded = new Promise<void>((resolve) => {
    succeed = resolve
  })
  const service = serviceWithJob((_, attempt) => {
    attempts.push(attempt)
    if (attempt < 2) throw new Error('not yet')
    succeed()
  })
  await using at = await startTestService(service, { transport: 'http2' })
  await at.client(RevisionsService).findExisting({ ids: ['a'] }, actAsSystem())
  await succeeded
  assert.deepEqual(attempts, [1, 2])
})

test('shutdown waits for the running job', async () => {
  let begun: () => void = () => {}
  const running = new Promise<void>((resolve) => {
    begun = resolve
  })
  let finished = false
  const service = serviceWithJob(async () => {
    begun()
    await new Promise((resolve) => setTimeout(resolve, 200))
    finished = true
  })
  const at = await startTestService(service, { transport: 'local' })
  await at.client(RevisionsService).findExisting({ ids: ['a'] }, actAsSystem())
  await running
  await at[Symbol.asyncDispose]()
  assert.equal(finished, true)
})

test('two replicas of a service can start together on an empty database', async () => {
  const { createTestDatabase } = await import('../src/testing/index.js')
  const { startServing } = await import('../src/service/index.js')
  await using database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, FIGBASE_SECRET_KEY: 'secret', LOG_LEVEL: 'silent' }
  const service = serviceWithJob(() => {})
  const started = await Promise.all([startServing(service, env), startServing(service, env)])
  for (const one of started) await one[Symbol.asyncDispose]()
})
