import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { TaskStatus } from '@figbase/proto/tasks'
import { internalError, startProcesses, until } from './support/processes.js'
import { ann } from './support/started.js'

const { STARTED, SUCCESS, FAILURE, REVOKED } = TaskStatus

/** Whether a process exists. */
function exists(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a task exists when its RPC responds, reports progress, and stores its result', async () => {
  await using at = await startProcesses()
  const id = await at.begin('steps')
  const first = await at.get(id)
  assert.deepEqual([first.name, first.type], ['Test of steps', 'test'])
  await until(async () => (await at.logsOf(id)).length === 2)
  const running = await at.get(id)
  assert.deepEqual(
    [running.status, running.progressPercent, running.statusMessage, running.detailJson],
    [STARTED, 30, 'second', '{"file":"a.py"}'],
  )
  await at.open(id)
  const done = await at.finished(id)
  assert.deepEqual([done.status, done.resultJson], [SUCCESS, '{"count":3}'])
  assert.deepEqual(await at.logsOf(id), ['one', 'two', 'three'])
  assert.deepEqual(await at.eventsOf(id), ['begun 1'])

  const chatter = await at.begin('chatter')
  assert.equal((await at.finished(chatter)).status, SUCCESS)
  const lines = await at.logsOf(chatter)
  assert.match(lines[0] ?? '', /lines dropped/)
  assert.equal(lines.at(-1), 'line 1999')
})

test('cancelling stops a running task within a second, and is rejected for finished ones', async (t) => {
  await using at = await startProcesses({ JOB_CONCURRENCY: '1' })
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const id = await at.begin('child')
    let pid = 0
    await until(async () => {
      const event = (await at.eventsOf(id)).find((what) => what.startsWith('pid '))
      pid = Number(event?.slice(4) ?? 0)
      return pid > 0
    })
    assert.ok(exists(pid))
    const waiting = await at.begin('hold')

    const began = performance.now()
    await at.client.cancelTask({ id: waiting }, ann)
    const { task } = await at.client.cancelTask({ id }, ann)
    assert.equal(task?.status, REVOKED)
    await until(async () => !exists(pid))
    times.push(performance.now() - began)

    const again = await at.client.cancelTask({ id }, ann).catch((error: unknown) => error)
    assert.ok(again instanceof ConnectError)
    assert.equal(again.code, Code.FailedPrecondition)
    // The worker is free again, and skips the job that was cancelled while it waited.
    const next = await at.begin('steps')
    await at.open(next)
    await at.finished(next)
    assert.deepEqual(await at.eventsOf(waiting), [])
    assert.deepEqual(await at.get(id), task)
    assert.equal((await at.get(waiting)).startedOn, undefined)
  }
  t.diagnostic(`stopped after ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`)
  assert.ok(Math.max(...times) < 1000, String(times))
})

test('a failing task is retried; its user sees only messages meant for users', async () => {
  await using at = await startProcesses()
  const failing = await at.begin('fail')
  const failed = await at.finished(failing)
  assert.equal(failed.status, FAILURE)
  assert.match(failed.error, internalError)
  assert.doesNotMatch(failed.error, /innards/)
  assert.deepEqual(await at.eventsOf(failing), ['begun 1', 'begun 2'])
  assert.deepEqual(await at.logsOf(failing), ['[attempt 1 failed]', '[attempt 2 of 2]'])

  const explaining = await at.begin('explain')
  const explained = await at.finished(explaining)
  assert.deepEqual([explained.status, explained.error], [FAILURE, 'repository not found'])
  assert.deepEqual(await at.eventsOf(explaining), ['begun 1'])

  const bulky = await at.finished(await at.begin('bulky'))
  assert.deepEqual([bulky.status, bulky.resultJson], [FAILURE, ''])
})
