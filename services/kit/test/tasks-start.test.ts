import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { TaskStatus, TasksService } from '@figbase/proto/tasks'
import { keysFrom } from '../src/keys/index.js'
import { actAs, requireUser, user } from '../src/rpc/index.js'
import { principalHeader, verifyPrincipal } from '../src/rpc/principal.js'
import { defineService, internalKeyPurpose, type Kit } from '../src/service/index.js'
import { defineTaskJob, type TaskName } from '../src/tasks/index.js'
import { startTestService } from '../src/testing/index.js'
import { createRecord } from './queue.js'

type Ctx = Kit<unknown>

// The secret of `startTestService`.
const fakeKey = keysFrom('a secret of the tests').derive(internalKeyPurpose)

const ann = actAs(user('ann'))

/** A service with an RPC that starts a task, and a fake tasks service. */
async function start(
  transport: 'local' | 'http2',
  isUnavailable: () => boolean = () => false,
  timeoutMs = 10_000,
) {
  const opened: { id: string; name: string; type: string; by: string }[] = []
  const outcomes = createRecord<{
    id: string
    status: TaskStatus
    resultJson?: string
    error?: string
  }>()
  const ran = createRecord<string>()
  const count: TaskName<{ n: number }> = { name: 'count', type: 'counting', attemptsMax: 1 }
  const job = defineTaskJob<Ctx, { n: number }>(count, {
    timeoutMs,
    run: async (_, { n }, task) => {
      ran.add(task.id)
      if (n === 0) await new Promise((_, reject) => task.signal.addEventListener('abort', reject))
      return n + 1
    },
  })
  const service = defineService<object, unknown, Ctx>({
    name: 'revisions',
    config: () => ({}),
    migrations: [],
    context: (kit) => kit,
    routes: (ctx) => (router) =>
      router.service(RevisionsService, {
        findExisting: async ({ ids: [then, running] }, call) => {
          if (running) await ctx.transact((tx) => ctx.cancelJob(tx, job, running))
          const id = await ctx.transact(async (tx) => {
            const options = { name: 'Counting', owner: requireUser(call) }
            const id = await ctx.startTask(tx, count, { n: then === 'hold' ? 0 : 1 }, options)
            if (then === 'fail') throw new Error('rolled back')
            return id
          })
          return { ids: [id] }
        },
      }),
    jobs: [job],
  })
  const at = await startTestService(service, {
    transport,
    peers: (router) =>
      router.service(TasksService, {
        startTask: ({ id, name, type }, call) => {
          if (isUnavailable()) throw new ConnectError('away', Code.Unavailable)
          const token = call.requestHeader.get(principalHeader)
          const by = verifyPrincipal(token, fakeKey).username
          if (!opened.some((one) => one.id === id)) opened.push({ id, name, type, by })
          return {}
        },
        reportTask: ({ id, status, resultJson, error }) => {
          if (!opened.some((one) => one.id === id)) throw new ConnectError('', Code.NotFound)
          if (status !== undefined && status !== TaskStatus.STARTED) {
            outcomes.add({
              id,
              status,
              ...(resultJson !== undefined && { resultJson }),
              ...(error !== undefined && { error }),
            })
          }
          return {}
        },
        listRevoked: () => ({}),
      }),
  })
  return { at, opened, outcomes, ran }
}

for (const transport of ['local', 'http2'] as const) {
  test(`${transport}: the record is open when the caller gets the id, and the job reports`, async () => {
    const { at, opened, outcomes, ran } = await start(transport)
    await using _at = at
    const { ids } = await at.client(RevisionsService).findExisting({ ids: ['go'] }, ann)
    assert.deepEqual(
      opened.map(({ id, name, type, by }) => [id, name, type, by]),
      [[ids[0], 'Counting', 'counting', 'ann']],
    )
    const [outcome] = await outcomes.waitForCount(1)
    assert.deepEqual(outcome, { id: ids[0], status: TaskStatus.SUCCESS, resultJson: '2' })
    assert.deepEqual(ran.items, ids)
  })
}

test('a failed transaction starts no task', async () => {
  const { at, opened, outcomes, ran } = await start('local')
  await using _at = at
  const client = at.client(RevisionsService)
  await assert.rejects(client.findExisting({ ids: ['fail'] }, ann))
  const { ids } = await client.findExisting({ ids: ['go'] }, ann)
  await outcomes.waitForCount(1)
  assert.deepEqual([opened.map(({ id }) => id), ran.items], [ids, ids])
})

test('without the tasks service the caller gets the id, and the job opens the record', async () => {
  let isUnavailable = true
  const { at, opened, outcomes, ran } = await start('local', () => isUnavailable)
  await using _at = at
  const { ids } = await at.client(RevisionsService).findExisting({ ids: ['go'] }, ann)
  assert.deepEqual([opened, ran.items], [[], []])
  isUnavailable = false
  const [outcome] = await outcomes.waitForCount(1)
  assert.deepEqual([outcome?.id, opened.length], [ids[0], 1])
})

test('canceling the job revokes its task', async () => {
  const { at, outcomes, ran } = await start('local')
  await using _at = at
  const client = at.client(RevisionsService)
  const { ids } = await client.findExisting({ ids: ['hold'] }, ann)
  await ran.waitForCount(1)
  await client.findExisting({ ids: ['go', ...ids] }, ann)
  const ended = await outcomes.waitForCount(2)
  const held = ended.find(({ id }) => id === ids[0])
  assert.deepEqual(held, { id: ids[0], status: TaskStatus.REVOKED })
})

test('fails the task with a message when its last attempt times out', async () => {
  const { at, outcomes } = await start('local', () => false, 200)
  await using _at = at
  const { ids } = await at.client(RevisionsService).findExisting({ ids: ['hold'] }, ann)
  const [outcome] = await outcomes.waitForCount(1)
  const error = 'it took too long'
  assert.deepEqual(outcome, { id: ids[0], status: TaskStatus.FAILURE, error })
})
