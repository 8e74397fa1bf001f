import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from './with-deadline.js'
import { TimedOut } from './with-timeout.js'

const never = (signal: AbortSignal) => sleep(60_000, undefined, { signal })
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as Error).cause ?? error,
  )

test('ends the work after the timeout, and with the signal of the caller', async () => {
  const { signal } = new AbortController()
  assert.ok((await reasonOf(withDeadline(signal, 20, never))) instanceof TimedOut)
  const caller = new AbortController()
  const ended = reasonOf(withDeadline(caller.signal, 60_000, never))
  const why = new Error('the caller left')
  caller.abort(why)
  assert.equal(await ended, why)
  assert.equal(await reasonOf(withDeadline(caller.signal, 60_000, never)), why)
})

test('leaves neither a timer nor a listener behind', async () => {
  const { signal } = new AbortController()
  assert.equal(await withDeadline(signal, 60_000, async () => 1), 1)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})
