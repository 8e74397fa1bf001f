import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireUser } from '@figbase/kit/rpc'
import { defineService, type Kit, serve } from '@figbase/kit/service'
import { defineTaskJob, TaskFailed, type TaskHandle, type TaskName } from '@figbase/kit/tasks'
import { RevisionsService } from '@figbase/proto/revisions'
import { countedTo } from './counted-to.js'

/** A service that runs in its own process; its only RPC starts a task and returns its id. */
type Database = { event: { task: string; what: string }; gate: { task: string } }
type Ctx = Kit<Database>

const actions: Record<string, (ctx: Ctx, task: TaskHandle) => Promise<unknown>> = {
  async steps(ctx, task) {
    task.progress(10, 'first')
    task.progress(30.7, 'second')
    task.log('one\r\ntwo\n')
    task.detail({ file: 'a.py' })
    await waitForGate(ctx, task)
    task.log('three')
    return { count: 3 }
  },
  async hold(ctx, task) {
    await waitForGate(ctx, task)
    return 'held'
  },
  async child(ctx, task) {
    const child = spawn('sleep', ['60'], { signal: task.signal })
    // The abort signal also emits an error.
    child.on('error', () => {})
    await note(ctx, task, `pid ${child.pid}`)
    await once(child, 'exit')
    task.signal.throwIfAborted()
  },
  async fail() {
    throw new Error('innards')
  },
  async explain() {
    throw new TaskFailed('repository not found')
  },
  async bulky() {
    return 'x'.repeat(1_000_000)
  },
  async dieOnce(ctx, task) {
    await waitForGate(ctx, task)
    if (task.attempt === 1) process.kill(process.pid, 'SIGKILL')
    return 'alive'
  },
  async dieAlways(ctx, task) {
    await waitForGate(ctx, task)
    process.kill(process.pid, 'SIGKILL')
  },
  async chatter(_, task) {
    for (let n = 0; n < 2000; n++) task.log(`line ${n}`)
  },
}

const work: TaskName<{ what: string }> = { name: 'work', type: 'test', attemptsMax: 2 }
const workJob = defineTaskJob<Ctx, { what: string }>(work, {
  timeoutMs: 60_000,
  async run(ctx, { what }, task) {
    await note(ctx, task, `begun ${task.attempt}`)
    return actions[what]?.(ctx, task)
  },
})

/** Retried after every crash. */
const count: TaskName<{ what: string }> = { name: 'count', type: 'test', attemptsMax: 25 }
const countJob = defineTaskJob<Ctx, { what: string }>(count, {
  timeoutMs: 60_000,
  async run(ctx, { what }, task) {
    await note(ctx, task, `begun ${task.attempt}`)
    for (let n = 1; n <= countedTo; n++) {
      task.log(`line ${n}`)
      task.progress((100 * n) / countedTo)
      await sleep(30)
    }
    return what
  },
})

async function note(ctx: Ctx, task: TaskHandle, what: string) {
  await ctx.db.insertInto('event').values({ task: task.id, what }).execute()
}

/** Waits until the test opens the gate of the task. */
async function waitForGate(ctx: Ctx, task: TaskHandle) {
  const isOpen = () =>
    ctx.db.selectFrom('gate').where('task', '=', task.id).select('task').executeTakeFirst()
  while (!(await isOpen())) await sleep(20, undefined, { signal: task.signal })
}

await serve(
  defineService<object, Database, Ctx>({
    name: 'revisions',
    config: () => ({}),
    migrations: [
      {
        name: '0001',
        sql: 'create table event (task text, what text); create table gate (task text)',
      },
    ],
    context: (kit) => kit,
    routes: (ctx) => (router) =>
      router.service(RevisionsService, {
        async findExisting({ ids: [what = ''] }, call) {
          const options = { name: `Test of ${what}`, owner: requireUser(call) }
          const job = what in actions ? work : count
          const id = await ctx.transact((tx) => ctx.startTask(tx, job, { what }, options))
          return { ids: [id] }
        },
      }),
    jobs: [workJob, countJob],
  }),
)
