import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskStatus } from '@figbase/proto/tasks'
import { internalError, startProcesses, until } from './support/processes.js'

const { SUCCESS, FAILURE } = TaskStatus

test('a crash costs an attempt; the task fails after the last one', async () => {
  await using at = await startProcesses()
  const once = await at.begin('dieOnce')
  await at.open(once)
  await at.workerEnded()
  await at.startWorker()
  const done = await at.finished(once)
  assert.deepEqual([done.status, done.resultJson], [SUCCESS, '"alive"'])
  assert.deepEqual(await at.eventsOf(once), ['begun 1', 'begun 2'])
  assert.deepEqual(await at.logsOf(once), ['[attempt 2 of 2]'])

  const always = await at.begin('dieAlways')
  await at.open(always)
  for (let death = 0; death < 2; death++) {
    await at.workerEnded()
    await at.startWorker()
  }
  const dead = await at.finished(always)
  assert.equal(dead.status, FAILURE)
  assert.match(dead.error, internalError)
  assert.deepEqual(await at.eventsOf(always), ['begun 1', 'begun 2'])
})

test('a task continues after a graceful stop without losing an attempt', async () => {
  await using at = await startProcesses()
  const id = await at.begin('hold')
  await at.begun(id)
  await at.stopWorker()
  await at.startWorker()
  await until(async () => (await at.eventsOf(id)).length === 2)
  await at.open(id)
  assert.equal((await at.finished(id)).status, SUCCESS)
  assert.deepEqual(await at.eventsOf(id), ['begun 1', 'begun 1'])
  assert.deepEqual(await at.logsOf(id), ['[attempt 1 was interrupted]'])
})

test('no task and no outcome is lost while the tasks service is unavailable', async () => {
  await using at = await startProcesses({ JOB_CONCURRENCY: '3' })
  const held = await at.begin('hold')
  await at.begun(held)
  await at.killTasks()
  await at.open(held)
  // Its record cannot be created yet: the job creates it later, and only then runs.
  const unseen = await at.begin('steps')
  await at.open(unseen)
  assert.deepEqual(await at.eventsOf(unseen), [])
  await until(async () => (await at.queued(held)) === 'outcome')
  await at.startTasks()
  const done = await at.finished(held)
  assert.deepEqual([done.status, done.resultJson], [SUCCESS, '"held"'])
  assert.deepEqual(await at.eventsOf(held), ['begun 1'])
  await until(async () => (await at.eventsOf(unseen)).length > 0)
  assert.equal((await at.finished(unseen)).status, SUCCESS)
})
