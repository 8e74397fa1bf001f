import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { type Task, TaskStatus } from '@figbase/proto/tasks'
import { deleteOldTasks } from '../src/periodic/remove-old-tasks.js'
import { ann, bob, nobody, type Started, start, system } from './support/started.js'

const { PENDING, STARTED, SUCCESS, FAILURE, REVOKED } = TaskStatus

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof ConnectError ? Code[error.code] : String(error)),
  )

let at: Started
before(async () => {
  at = await start('http2')
})
after(() => at[Symbol.asyncDispose]())

const get = async (id: string): Promise<Task> => {
  const { task } = await at.client.getTask({ id }, ann)
  assert.ok(task)
  return task
}
const logsOf = async (id: string) =>
  (await at.client.listTaskLogs({ id }, ann)).logs.map(({ line }) => line)

test('a task proceeds from creation to result, with each time set once', async () => {
  const opened = await at.open('Import of a repository')
  assert.deepEqual(
    [opened.status, opened.progressPercent, opened.startedOn, opened.completedOn],
    [PENDING, 0, undefined, undefined],
  )
  const { id } = opened
  await at.client.reportTask({ id, status: STARTED }, system)
  const begun = await get(id)
  assert.ok(begun.startedOn)
  await at.client.reportTask(
    {
      id,
      status: STARTED,
      progressPercent: 40,
      statusMessage: 'reading',
      detailJson: '{"b": 1, "a": 2}',
      logs: [{ line: 'one' }, { line: 'two' }],
    },
    system,
  )
  await at.client.reportTask({ id, progressPercent: 20, logs: [{ line: 'three' }] }, system)
  const running = await get(id)
  assert.deepEqual(running.startedOn, begun.startedOn)
  assert.deepEqual(
    [running.progressPercent, running.statusMessage, running.detailJson],
    [40, 'reading', '{"b": 1, "a": 2}'],
  )
  assert.deepEqual(await logsOf(id), ['one', 'two', 'three'])

  await at.client.reportTask({ id, status: SUCCESS, resultJson: '[1]' }, system)
  const done = await get(id)
  assert.deepEqual([done.status, done.progressPercent, done.resultJson], [SUCCESS, 100, '[1]'])
  assert.ok(done.completedOn)

  const late = { id, status: FAILURE, error: 'late', logs: [{ line: 'late' }] }
  const { isRevoked, isFinished } = await at.client.reportTask(late, system)
  assert.deepEqual([isRevoked, isFinished], [false, true])
  assert.deepEqual(await get(id), done)
  assert.deepEqual(await logsOf(id), ['one', 'two', 'three'])
})

test('starting a task again returns it unchanged; other users are rejected', async () => {
  const { id } = await at.open('first')
  await at.client.reportTask({ id, status: STARTED }, system)
  const { task } = await at.client.startTask({ id, name: 'second', type: 'x' }, ann)
  assert.deepEqual([task?.name, task?.type, task?.status], ['first', 'import', STARTED])
  const byOther = at.client.startTask({ id, name: 'x', type: 'x' }, bob)
  assert.equal(await codeOf(byOther), 'AlreadyExists')
})

test('only the owner can cancel a task, until it has finished', async () => {
  const { id } = await at.open()
  assert.equal(await codeOf(at.client.cancelTask({ id }, bob)), 'NotFound')
  assert.equal(await codeOf(at.client.cancelTask({ id: randomUUID() }, ann)), 'NotFound')
  assert.equal(await codeOf(at.client.cancelTask({ id: 'x' }, ann)), 'NotFound')
  assert.equal((await get(id)).status, PENDING)

  const { task } = await at.client.cancelTask({ id }, ann)
  assert.equal(task?.status, REVOKED)
  assert.ok(task.completedOn)
  const answer = await at.client.reportTask({ id, status: STARTED, progressPercent: 9 }, system)
  assert.deepEqual([answer.isRevoked, answer.isFinished], [true, true])
  assert.deepEqual(await get(id), task)
  const { ids } = await at.client.listRevoked({ ids: [id, (await at.open()).id] }, system)
  assert.deepEqual(ids, [id])

  for (const status of [SUCCESS, FAILURE, REVOKED]) {
    const { id } = await at.open()
    await at.client.reportTask({ id, status }, system)
    assert.equal(await codeOf(at.client.cancelTask({ id }, ann)), 'FailedPrecondition')
    assert.equal((await get(id)).status, status)
  }
})

test('other and anonymous callers see nothing, and only services report', async () => {
  const { id } = await at.open()
  const { client } = at
  const calls = [client.getTask, client.listTaskLogs, client.cancelTask]
  for (const call of calls) {
    assert.equal(await codeOf(call({ id }, bob)), 'NotFound')
    assert.equal(await codeOf(call({ id }, nobody)), 'Unauthenticated')
  }
  assert.equal(await codeOf(client.listTasks({}, nobody)), 'Unauthenticated')
  assert.deepEqual((await client.listTasks({}, bob)).tasks, [])
  assert.equal(await codeOf(client.reportTask({ id }, ann)), 'PermissionDenied')
  assert.equal(await codeOf(client.listRevoked({ ids: [id] }, ann)), 'PermissionDenied')
  assert.equal(await codeOf(client.reportTask({ id: randomUUID() }, system)), 'NotFound')
})

test('lists tasks newest first, in pages, with filters', async () => {
  await using at = await start('local')
  const made: string[] = []
  for (const status of [PENDING, STARTED, SUCCESS, FAILURE, REVOKED, PENDING, SUCCESS]) {
    const { id } = await at.open()
    made.unshift(id)
    if (status !== PENDING) await at.client.reportTask({ id, status }, system)
  }
  const idsOf = ({ tasks }: { tasks: Task[] }) => tasks.map(({ id }) => id)
  const list = async (request: Parameters<typeof at.client.listTasks>[0]) =>
    idsOf(await at.client.listTasks(request, ann))

  assert.deepEqual(await list({}), made)
  const paged: string[] = []
  let pageToken = ''
  do {
    const page = await at.client.listTasks({ pageSize: 3, pageToken }, ann)
    assert.ok(page.tasks.length <= 3)
    paged.push(...idsOf(page))
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(paged, made)

  assert.deepEqual(await list({ statuses: [SUCCESS, PENDING, SUCCESS] }), [
    made[0],
    made[1],
    made[4],
    made[6],
  ])
  assert.equal(await codeOf(at.client.listTasks({ statuses: [0] }, ann)), 'InvalidArgument')

  const { tasks } = await at.client.listTasks({}, ann)
  const third = tasks[2]
  assert.ok(third?.createdOn && third.completedOn)
  assert.deepEqual(await list({ createdFrom: third.createdOn }), made.slice(0, 3))
  assert.deepEqual(await list({ createdTo: third.createdOn }), made.slice(2))
  assert.deepEqual(await list({ completedFrom: third.completedOn }), [made[0], made[2]])
  assert.deepEqual(await list({ completedTo: third.completedOn }), [made[2], made[3], made[4]])
  const tomorrow = timestampFromDate(new Date(Date.now() + 86_400_000))
  assert.deepEqual(await list({ createdFrom: tomorrow }), [])
  const one = { createdFrom: third.createdOn, createdTo: third.createdOn, statuses: [REVOKED] }
  assert.deepEqual(await list(one), [made[2]])
})

test('a log keeps its newest lines and counts the dropped ones', async () => {
  await using at = await start('local', { TASK_LOG_LINES_MAX: '5', TASK_LOG_BYTES_MAX: '100B' })
  const { id } = await at.open()
  const send = (lines: string[]) =>
    at.client.reportTask({ id, logs: lines.map((line) => ({ line })) }, system)
  const read = async () =>
    (await at.client.listTaskLogs({ id, pageSize: 2 }, ann)).logs.map(({ line }) => line)
  const readAll = async () =>
    (await at.client.listTaskLogs({ id }, ann)).logs.map(({ line }) => line)

  await send(['1', '2', '3'])
  assert.deepEqual(await readAll(), ['1', '2', '3'])
  await send(['4', '5', '6'])
  assert.deepEqual(await readAll(), ['[1 earlier lines were dropped]', '2', '3', '4', '5', '6'])
  await send(Array.from({ length: 9 }, (_, n) => `n${n}`))
  const expected = ['[10 earlier lines were dropped]', 'n4', 'n5', 'n6', 'n7', 'n8']
  assert.deepEqual(await readAll(), expected)
  assert.deepEqual(await read(), expected.slice(0, 3))
  await send(['a'.repeat(60), 'b'.repeat(60)])
  assert.deepEqual(await readAll(), ['[16 earlier lines were dropped]', 'b'.repeat(60)])
})

test('converts texts to truncated plain lines, and rejects malformed and oversized JSON', async () => {
  await using at = await start('local', {
    TASK_TEXT_CHARS_MAX: '10',
    TASK_LOG_LINE_CHARS_MAX: '8',
    TASK_JSON_BYTES_MAX: '20B',
  })
  const { id } = await at.open('a name that is long')
  const error = '\u001b[31mbad\u0000\nnews\u001b[0m'
  await at.client.reportTask({ id, error, logs: [{ line: '\u0007012345678' }] }, system)
  const { task } = await at.client.getTask({ id }, ann)
  assert.deepEqual([task?.name, task?.error], ['a name th…', 'bad news'])
  const { logs } = await at.client.listTaskLogs({ id }, ann)
  assert.deepEqual(
    logs.map(({ line }) => line),
    ['0123456…'],
  )
  for (const json of ['{', '', `"${'x'.repeat(20)}"`]) {
    for (const report of [{ detailJson: json }, { resultJson: json }]) {
      const call = at.client.reportTask({ id, status: SUCCESS, ...report }, system)
      assert.equal(await codeOf(call), 'InvalidArgument')
    }
  }
  assert.equal((await at.client.getTask({ id }, ann)).task?.status, PENDING)
})

test('removes finished tasks and their logs after the retention; keeps others', async () => {
  await using at = await start('local', { TASK_RETENTION: '1d' })
  const finish = async (days: number) => {
    const { id } = await at.open()
    await at.client.reportTask({ id, status: SUCCESS, logs: [{ line: 'x' }] }, system)
    const completed_on = new Date(Date.now() - days * 86_400_000).toISOString()
    await at.ctx.db.updateTable('task').set({ completed_on }).where('id', '=', id).execute()
    return id
  }
  const waiting = await at.open()
  await at.ctx.db.updateTable('task').set({ created_on: '2020-01-01 00:00:00+00' }).execute()
  const young = await finish(0.9)
  await finish(1.1)
  await finish(400)
  await deleteOldTasks(at.ctx)
  const left = await at.ctx.db.selectFrom('task').select('id').execute()
  assert.deepEqual(left.map(({ id }) => id).sort(), [waiting.id, young].sort())
  const logs = await at.ctx.db.selectFrom('task_log').select('task_id').execute()
  assert.deepEqual(
    logs.map((row) => row.task_id),
    [young],
  )
})
