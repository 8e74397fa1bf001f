import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Task, TaskStatus } from '@figbase/proto/tasks'
import { countedTo } from './support/counted-to.js'
import { startProcesses, until } from './support/processes.js'
import { ann } from './support/started.js'

type Processes = Awaited<ReturnType<typeof startProcesses>>

const { SUCCESS } = TaskStatus
const lines = Array.from({ length: countedTo }, (_, n) => `line ${n + 1}`)
const again = /^\[attempt \d+ of 25\]$/

/** Points around all writes of the worker and its calls to the tasks service. */
const points = [
  'tx.begun',
  'tx.committing',
  'tx.committed',
  'StartTask.before',
  'StartTask.after',
  'count.before',
  'count.after',
  ...[1, 2, 3].flatMap((time) => [`ReportTask.before:${time}`, `ReportTask.after:${time}`]),
]
const randomCrashes = 20
const beforeCrashMsMax = 700

for (const point of points) {
  test(`a task completes or was never created after a crash at ${point}`, async () => {
    await using at = await startProcesses()
    await at.killWorker()
    await at.startWorker(`revisions.${point}`)
    const id = await begin(at)
    await at.workerEnded()
    await at.startWorker()
    await until(at.areJobsDone)
    const tasks = await listTasks(at)
    const isCommitted = !['tx.begun', 'tx.committing'].includes(point)
    assert.equal(tasks.length, isCommitted ? 1 : 0)
    if (id) assert.equal(tasks[0]?.id, id)
    for (const task of tasks) await assertComplete(at, task)
  })
}

test(`all started tasks complete after ${randomCrashes} crashes at random times`, async (t) => {
  await using at = await startProcesses({ JOB_CONCURRENCY: '4' })
  const begun: string[] = []
  let isOver = false
  const beginning = (async () => {
    while (!isOver) {
      const id = await begin(at)
      if (id) begun.push(id)
      await sleep(id ? 60 : 200)
    }
  })()
  for (let crash = 0; crash < randomCrashes; crash++) {
    await sleep(Math.random() * beforeCrashMsMax)
    await at.killWorker()
    await at.startWorker()
  }
  isOver = true
  await beginning
  await until(at.areJobsDone)
  const tasks = await listTasks(at)
  const known = new Set(tasks.map(({ id }) => id))
  assert.deepEqual(
    begun.filter((id) => !known.has(id)),
    [],
    'a task was lost',
  )
  let attempts = 0
  for (const task of tasks) {
    await assertComplete(at, task)
    attempts += (await at.eventsOf(task.id)).length
  }
  t.diagnostic(`${tasks.length} tasks, ${attempts} attempts`)
  assert.ok(attempts > tasks.length, 'no crash interrupted a task')
})

/** Undefined when the process died before it responded. */
const begin = (at: Processes): Promise<string | undefined> =>
  at.begin('anything').catch(() => undefined)

async function listTasks({ client }: Processes): Promise<Task[]> {
  const all: Task[] = []
  let pageToken = ''
  do {
    const page = await client.listTasks({ pageToken }, ann)
    all.push(...page.tasks)
    pageToken = page.nextPageToken
  } while (pageToken)
  return all
}

/** Checks that the task succeeded, and that its log has the lines of each attempt once. */
async function assertComplete(at: Processes, { id, status, resultJson, progressPercent }: Task) {
  assert.deepEqual([status, resultJson, progressPercent], [SUCCESS, '"anything"', 100])
  const parts: string[][] = [[]]
  for (const line of await at.logsOf(id)) {
    if (again.test(line)) parts.push([])
    else parts.at(-1)?.push(line)
  }
  const last = parts.at(-1)
  assert.deepEqual(last, lines)
  for (const part of parts) assert.deepEqual(part, lines.slice(0, part.length))
}
