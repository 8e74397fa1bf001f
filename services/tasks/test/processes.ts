import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  clientInterceptor,
  connectNeighbours,
  internalKeyPurpose,
  keysFrom,
  Lifecycle,
  lazyClient,
} from '@figbase/kit'
import { createTestDatabase } from '@figbase/kit/testing'
import { RevisionsService } from '@figbase/proto/revisions'
import { type Task, TaskStatus, TasksService } from '@figbase/proto/tasks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { ann } from './started.js'

const secret = 'a secret of the tests'
const programs = { tasks: '../src/main.js', worker: './worker.js' }

/** What people read of an error that is not meant for them. */
export const wentWrong = /^something went wrong on the server/

/** The tasks service and one that has task jobs, each in a process of its own. */
export async function startProcesses(env: Record<string, string> = {}) {
  const lifecycle = new Lifecycle()
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const common = {
    ...process.env,
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: secret,
    LOG_LEVEL: 'silent',
    JOB_LEASE: '1s',
    ...env,
  }
  const start = async (name: keyof typeof programs, extra: Record<string, string>) => {
    const child = fork(fileURLToPath(new URL(programs[name], import.meta.url)), {
      env: { ...common, ...extra },
    })
    lifecycle.onStop(() => kill(child))
    // One that is to die may do so before it says its port.
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    return { child, port: Number(message?.port ?? extra.RPC_PORT) }
  }
  try {
    let tasks = await start('tasks', { RPC_PORT: '0' })
    const tasksUrl = `http://127.0.0.1:${tasks.port}`
    const workerEnv = { RPC_PORT: '0', TASKS_URL: tasksUrl }
    let worker = await start('worker', workerEnv)
    const urls = { tasks: [tasksUrl], revisions: [`http://127.0.0.1:${worker.port}`] }
    const key = keysFrom(secret).derive(internalKeyPurpose)
    const neighbours = connectNeighbours(urls, [clientInterceptor(key)])
    lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
    const client = lazyClient(TasksService, neighbours.transportTo)
    const starter = lazyClient(RevisionsService, neighbours.transportTo)
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    lifecycle.onStop(() => db.destroy())

    const get = async (id: string): Promise<Task> => {
      const { task } = await client.getTask({ id }, ann)
      if (!task) throw new Error('the task was not answered')
      return task
    }
    const eventsOf = async (id: string) => {
      const { rows } = await sql<{ what: string }>`
        select what from revisions.event where task = ${id}`.execute(db)
      return rows.map(({ what }) => what)
    }
    return {
      client,
      get,
      eventsOf,
      /** Lets a task begin that does what `doings` has by this name. */
      async begin(what: string) {
        const { ids } = await starter.findExisting({ ids: [what] }, ann)
        return ids[0] ?? ''
      },
      /** What its job is to do: `payload`, or `outcome` when only that is still to be reported. */
      async queued(id: string) {
        const { rows } = await sql<{ what: string }>`
          select case when payload -> 'outcome' is null then 'payload' else 'outcome' end as what
            from revisions.job where key = ${id}`.execute(db)
        return rows[0]?.what
      },
      async open(id: string) {
        await sql`insert into revisions.gate (task) values (${id})`.execute(db)
      },
      async logsOf(id: string) {
        return (await client.listTaskLogs({ id }, ann)).logs.map(({ line }) => line)
      },
      async finished(id: string): Promise<Task> {
        let task = await get(id)
        await until(async () => {
          task = await get(id)
          return task.status > TaskStatus.STARTED
        })
        return task
      },
      begun: (id: string, what = 'begun 1') =>
        until(async () => (await eventsOf(id)).includes(what)),
      killTasks: () => kill(tasks.child),
      async startTasks() {
        tasks = await start('tasks', { RPC_PORT: String(tasks.port) })
      },
      async stopWorker() {
        worker.child.kill('SIGTERM')
        await ended(worker.child)
      },
      workerEnded: () => ended(worker.child),
      killWorker: () => kill(worker.child),
      /** `failAt`: the point at which it dies (`FAIL_AT`). */
      async startWorker(failAt = '') {
        const env = { ...workerEnv, RPC_PORT: String(worker.port), FAIL_AT: failAt }
        worker = await start('worker', env)
      },
      async areJobsDone() {
        const { rows } = await sql`select from revisions.job limit 1`.execute(db)
        return rows.length === 0
      },
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function ended(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await ended(child)
}

/** Asks until it says so: what another process does has no event here. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(15)
}
