import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WakeSignal } from '../../timing/wake-signal.js'
import { LocalWakeSignals, localWakeSignalsOf } from './local-wake-signals.js'

test('notifies the receivers of a shard, only while they receive', async () => {
  const wakeSignals = new LocalWakeSignals()
  assert.equal(wakeSignals.notify('a/0'), false)
  const [first, second, other] = [new WakeSignal(), new WakeSignal(), new WakeSignal()]
  using _ = wakeSignals.add('b/0', other)
  {
    using _first = wakeSignals.add('a/0', first)
    using _second = wakeSignals.add('a/0', second)
    assert.equal(wakeSignals.notify('a/0'), true)
    const ended = new AbortController()
    for (const wakeSignal of [first, second])
      assert.equal(await wakeSignal.wait(60_000, ended.signal), true)
    ended.abort()
    assert.equal(await other.wait(60_000, ended.signal), false)
  }
  assert.equal(wakeSignals.notify('a/0'), false)
})

test('are shared by the services of a process that use the same database with different roles', () => {
  const one = localWakeSignalsOf('postgres://catalog:secret@127.0.0.1:5432/figbase')
  assert.equal(
    localWakeSignalsOf('postgres://tasks:other@127.0.0.1:5432/figbase?sslmode=disable'),
    one,
  )
  assert.notEqual(localWakeSignalsOf('postgres://catalog:secret@127.0.0.1:5432/another'), one)
  assert.notEqual(localWakeSignalsOf('postgres://catalog:secret@127.0.0.1:5433/figbase'), one)
})
