import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { keysFrom } from '@figbase/kit/keys'
import { clientInterceptor, connectPeers, lazyClient } from '@figbase/kit/rpc'
import { internalKeyPurpose, Lifecycle } from '@figbase/kit/service'
import { createTestDatabase } from '@figbase/kit/testing'
import { RevisionsService } from '@figbase/proto/revisions'
import { type Task, TaskStatus, TasksService } from '@figbase/proto/tasks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { ann } from './started.js'

export const secret = 'a secret of the tests'
const programs = { tasks: '../../src/main.js', worker: './worker.js' }

/** The public message of an internal error. */
export const internalError = /^something went wrong on the server/

/** The tasks service and a worker service with task jobs, each in its own process. */
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
    // A process with a fail point may exit before it reports its port.
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
    const peers = connectPeers(urls, [clientInterceptor(key)])
    lifecycle.onStop(() => peers[Symbol.asyncDispose]())
    const client = lazyClient(TasksService, peers.transportTo)
    const starter = lazyClient(RevisionsService, peers.transportTo)
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    // `end` does not wait until the connections are closed, and the database is dropped with force.
    pool.on('error', () => {})
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    lifecycle.onStop(() => db.destroy())

    const get = async (id: string): Promise<Task> => {
      const { task } = await client.getTask({ id }, ann)
      if (!task) throw new Error('the response has no task')
      return task
    }
    const eventsOf = async (id: string) => {
      const { rows } = await sql<{ what: string }>`
        select what from revisions.event where task = ${id}`.execute(db)
      return rows.map(({ what }) => what)
    }
    return {
      client,
      db,
      get,
      eventsOf,
      /** Starts a task with the action of this name. */
      async begin(what: string) {
        const { ids } = await starter.findExisting({ ids: [what] }, ann)
        return ids[0] ?? ''
      },
      /** State of its job: `payload`, or `outcome` when only the outcome is still to be reported. */
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
      /** `failAt`: the point at which it is killed (`FAIL_AT`). */
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

/** Polls until the condition holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(15)
}
