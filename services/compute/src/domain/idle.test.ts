import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedIdle, defaultIdle, effectiveIdle } from './idle.js'

const free = { idleShutdownRequired: false, idleSecondsMax: null, idleSecondsDefault: null }
const on = { idle_shutdown_enabled: true, idle_shutdown_seconds: 60 }

test('a new instance is shut down when it is idle as long as the plan says', () => {
  assert.equal(defaultIdle(free).idle_shutdown_seconds, 3600)
  assert.equal(defaultIdle({ ...free, idleSecondsDefault: 5 }).idle_shutdown_seconds, 5)
  assert.equal(defaultIdle({ ...free, idleSecondsMax: 900 }).idle_shutdown_seconds, 900)
  assert.equal(defaultIdle({ ...free, idleSecondsMax: 0 }).idle_shutdown_seconds, 1)
})

test('the plan limits changes', () => {
  const off = { idle_shutdown_enabled: false }
  assert.deepEqual(changedIdle(on, off, free), { ...on, ...off })
  assert.throws(
    () => changedIdle(on, off, { ...free, idleShutdownRequired: true }),
    /idle_shutdown_enabled: must be true/,
  )
  const seconds = (idle_shutdown_seconds: number) => ({ idle_shutdown_seconds })
  assert.deepEqual(changedIdle(on, seconds(1), free), { ...on, ...seconds(1) })
  assert.throws(
    () => changedIdle(on, seconds(0), free),
    /idle_shutdown_seconds: must be at least 1/,
  )
  assert.throws(
    () => changedIdle(on, seconds(61), { ...free, idleSecondsMax: 60 }),
    /idle_shutdown_seconds: must be at most 60/,
  )
})

test('what the plan says wins, also if it changed later', () => {
  const off = { idle_shutdown_enabled: false, idle_shutdown_seconds: 600 }
  const of = (required: boolean, max: number | null) =>
    effectiveIdle({ ...off, plan_requires_idle_shutdown: required, plan_idle_seconds_max: max })
  assert.deepEqual(of(false, null), off)
  assert.deepEqual(of(true, 60), on)
  assert.deepEqual(of(false, 3600), off)
  assert.equal(of(true, 0).idle_shutdown_seconds, 1)
  // A change of one of them is not refused because of the other.
  const plan = { ...free, idleShutdownRequired: true, idleSecondsMax: 60 }
  assert.deepEqual(changedIdle(off, { idle_shutdown_enabled: true }, plan), on)
  assert.deepEqual(changedIdle(off, { idle_shutdown_seconds: 60 }, plan), on)
})
