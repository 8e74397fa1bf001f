import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startGateway } from '@figbase/gateway'
import { keysFrom, signAccessToken, userTokenPurpose } from '@figbase/kit/keys'
import { createFileSystemStore } from '@figbase/kit/objects'
import { actAs, actAsSystem, lazyClient, user } from '@figbase/kit/rpc'
import { compose, Lifecycle } from '@figbase/kit/service'
import { TaskStatus, TasksService } from '@figbase/proto/tasks'
import { services } from '../src/all-in-one.js'
import { createMigratedDatabase } from './support/migrated-database.js'

type Shown = {
  task_id: string
  status: string
  progress: number
  status_message: string | null
  task_detail: unknown
  result: unknown
  created_on: string
  completed_on: string
}
type Logs = { task_id: string; logs: { line: string }[] }

/** The product; the tests start tasks through the tasks service. */
async function start() {
  const lifecycle = new Lifecycle()
  const database = await createMigratedDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const dir = await mkdtemp(join(tmpdir(), 'figbase-tasks-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const secret = randomUUID()
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: secret,
    ADMIN_PASSWORD_FILE: join(dir, 'admin-password'),
    LOG_LEVEL: 'fatal',
    EMBEDDER: 'none',
    OCR_ENABLED: 'false',
    PORT: '0',
  }
  const composition = await compose(services, {
    env,
    objects: createFileSystemStore(dir),
    isolate: true,
  })
  lifecycle.onStop(() => composition[Symbol.asyncDispose]())
  const gateway = await startGateway({ env, ...composition })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  const key = keysFrom(secret).derive(userTokenPurpose)
  return {
    tasks: lazyClient(TasksService, composition.transportTo),
    async request<Body = Shown>(username: string, path: string, method = 'GET') {
      const token = signAccessToken({ username, isStaff: false, generation: 0 }, key, 60_000)
      const response = await fetch(`${gateway.url}/api/v1.3/tasks/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      })
      return { status: response.status, body: (await response.json()) as Body }
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

let at: Awaited<ReturnType<typeof start>>
before(async () => {
  at = await start()
})
after(() => at[Symbol.asyncDispose]())

const open = async (name: string) => {
  const id = randomUUID()
  await at.tasks.startTask({ id, name, type: 'import' }, actAs(user('ann')))
  return id
}

test('returns a task in the format of the API, to its owner only', async () => {
  const id = await open('Import')
  const { body: waiting } = await at.request('ann', `${id}/`)
  assert.deepEqual(waiting, {
    task_id: id,
    task_name: 'Import',
    task_type: 'import',
    status: 'PENDING',
    progress: 0,
    status_message: null,
    task_detail: null,
    result: null,
    error: null,
    created_on: waiting.created_on,
    started_on: null,
    completed_on: null,
  })
  const report = {
    id,
    status: TaskStatus.SUCCESS,
    statusMessage: 'done',
    detailJson: '{"2":1,"1":2}',
    resultJson: '[null,1.50]',
    logs: [{ line: 'one' }, { line: 'two' }],
  }
  await at.tasks.reportTask(report, actAsSystem())
  const { body: done } = await at.request('ann', `${id}/`)
  const { status, progress, status_message, task_detail, result } = done
  assert.deepEqual(
    { status, progress, status_message, task_detail, result },
    {
      status: 'SUCCESS',
      progress: 100,
      status_message: 'done',
      task_detail: { 1: 2, 2: 1 },
      result: [null, 1.5],
    },
  )
  assert.match(done.completed_on, /^\d{4}-\d\d-\d\dT.*Z$/)
  const { body: logged } = await at.request<Logs>('ann', `${id}/logs/`)
  assert.equal(logged.task_id, id)
  assert.deepEqual(
    logged.logs.map(({ line }) => line),
    ['one', 'two'],
  )
  for (const path of [`${id}/`, `${id}/logs/`]) {
    assert.equal((await at.request('bob', path)).status, 404)
  }
  assert.equal((await at.request('bob', `${id}/cancel/`, 'POST')).status, 404)
  assert.deepEqual((await at.request('bob', '')).body, [])
})

test('cancelling sets REVOKED, and is a 400 for finished tasks', async () => {
  const id = await open('Story')
  const { status, body } = await at.request('ann', `${id}/cancel/`, 'POST')
  assert.deepEqual([status, body.status], [200, 'REVOKED'])
  const finished = [id]
  for (const status of [TaskStatus.SUCCESS, TaskStatus.FAILURE]) {
    const id = await open('Story')
    await at.tasks.reportTask({ id, status }, actAsSystem())
    finished.push(id)
  }
  for (const id of finished) {
    const before = await at.request('ann', `${id}/`)
    const refused = await at.request<{ error: string }>('ann', `${id}/cancel/`, 'POST')
    assert.deepEqual([refused.status, refused.body.error], [400, 'task_finished'])
    assert.deepEqual(await at.request('ann', `${id}/`), before)
  }
})

test('lists tasks newest first, with filters', async () => {
  const list = async (query: string) => {
    const { body } = await at.request<Shown[]>('ann', `?${query}`)
    return body.map(({ task_id }) => task_id)
  }
  const older = await open('older')
  const newer = await open('newer')
  await at.tasks.reportTask({ id: newer, status: TaskStatus.STARTED }, actAsSystem())
  assert.deepEqual((await list('')).slice(0, 2), [newer, older])
  assert.deepEqual(await list('status__in=STARTED'), [newer])
  const { created_on } = (await at.request('ann', `${newer}/`)).body
  assert.deepEqual(await list(`created_at__gte=${created_on}`), [newer])
  const earlier = await list(`created_at__lte=${created_on}&status__in=PENDING,STARTED`)
  assert.deepEqual(earlier.slice(0, 2), [newer, older])
  const completed = await list(`completed_at__lte=${created_on}`)
  assert.ok(completed.length >= 4 && !completed.includes(newer) && !completed.includes(older))
  assert.deepEqual(await list(`completed_at__gte=${created_on}`), [])
})
