import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  durationText,
  idleStepOf,
  idleStopText,
  idleWarningText,
  isWorking,
  type Measured,
} from './idle-shutdown.js'

const warningMs = 300_000
const limited: Omit<Measured, 'known_idle_ms'> = {
  idle_shutdown_enabled: true,
  idle_shutdown_seconds: 3600,
  plan_requires_idle_shutdown: false,
  plan_idle_seconds_max: null,
  idle_ms: 0,
  warned_ms: null,
  stops_in_ms: null,
}
const minutes = (count: number) => count * 60_000
const warning = { step: 'warn', stopsInMs: warningMs }
const withdrawal = { step: 'withdraw' }
const stop = { step: 'stop' }
const warned = (since: number) => ({ warned_ms: since, stops_in_ms: warningMs - since })

const cases: [string, Partial<Measured>, object | undefined][] = [
  ['in use', {}, undefined],
  ['not idle for long enough', { idle_ms: minutes(55) - 1 }, undefined],
  ['idle for almost as long as it may', { idle_ms: minutes(55) }, warning],
  ['idle for longer, without a warning', { idle_ms: minutes(200) }, warning],
  ['warned, and still idle', { idle_ms: minutes(57), ...warned(minutes(2)) }, undefined],
  ['warned long enough ago', { idle_ms: minutes(60), ...warned(minutes(5)) }, stop],
  ['warned late, and idle for longer', { idle_ms: minutes(64), ...warned(minutes(4)) }, undefined],
  [
    'idle, as far as an old answer tells',
    { idle_ms: minutes(56), known_idle_ms: minutes(54) },
    undefined,
  ],
  [
    'warned long enough ago, and has not answered since',
    { idle_ms: minutes(70), known_idle_ms: minutes(58), ...warned(minutes(15)) },
    undefined,
  ],
  ['used since the warning', { idle_ms: minutes(1), ...warned(minutes(2)) }, withdrawal],
  ['used since a warning that is over', { idle_ms: minutes(1), ...warned(minutes(9)) }, withdrawal],
  [
    'switched off after the warning',
    { idle_shutdown_enabled: false, idle_ms: minutes(60), ...warned(minutes(5)) },
    withdrawal,
  ],
  [
    'given more time after the warning',
    { idle_shutdown_seconds: 7200, idle_ms: minutes(60), ...warned(minutes(5)) },
    withdrawal,
  ],
  ['never stopped', { idle_shutdown_enabled: false, idle_ms: minutes(600) }, undefined],
  [
    'stopped because the plan requires it',
    { idle_shutdown_enabled: false, plan_requires_idle_shutdown: true, idle_ms: minutes(55) },
    warning,
  ],
  [
    'stopped earlier because of the plan',
    { plan_idle_seconds_max: 600, idle_ms: minutes(5) },
    warning,
  ],
  ['not stopped later because of the plan', { plan_idle_seconds_max: 7200 }, undefined],
  [
    'idle for half of a short limit',
    { idle_shutdown_seconds: 4, idle_ms: 2000 },
    { step: 'warn', stopsInMs: 2000 },
  ],
  [
    'used and idle again between two measurements',
    { idle_shutdown_seconds: 2, idle_ms: 1500, warned_ms: 2500, stops_in_ms: -1500 },
    withdrawal,
  ],
]
for (const [name, given, step] of cases) {
  test(`an instance that is ${name}: ${JSON.stringify(step)}`, () => {
    const instance = { ...limited, ...given }
    const known = { known_idle_ms: instance.idle_ms, ...instance }
    assert.deepEqual(idleStepOf(known, warningMs), step)
  })
}

test('without a time of notice, a warning precedes the stop all the same', () => {
  const idle = { ...limited, idle_ms: minutes(60), known_idle_ms: minutes(60) }
  assert.deepEqual(idleStepOf(idle, 0), { step: 'warn', stopsInMs: 0 })
  assert.deepEqual(idleStepOf({ ...idle, warned_ms: 10, stops_in_ms: -10 }, 0), stop)
})

test('a busy kernel and the use of processors are work, whatever the size of the instance', () => {
  assert.ok(!isWorking({ busyKernelCount: 0, cpuPct: 4.9 }, 1, 5))
  assert.ok(isWorking({ busyKernelCount: 1, cpuPct: 0 }, 1, 5))
  assert.ok(isWorking({ busyKernelCount: 0, cpuPct: 5 }, 1, 5))
  // One processor of 64.
  assert.ok(isWorking({ busyKernelCount: 0, cpuPct: 1.56 }, 64, 5))
  // A kernel that waits, in an instance with a tenth of a processor.
  assert.ok(!isWorking({ busyKernelCount: 0, cpuPct: 20 }, 0.1, 5))
})

test('texts tell for how long, and until when', () => {
  assert.equal(durationText(1999), '1 second')
  assert.equal(durationText(119_000), '119 seconds')
  assert.equal(durationText(minutes(2)), '2 minutes')
  assert.equal(durationText(minutes(119.9)), '119 minutes')
  assert.equal(durationText(minutes(180)), '3 hours')
  assert.equal(idleStopText(minutes(60)), 'It was idle for 60 minutes.')
  assert.equal(
    idleWarningText('2026-12-01T10:00:05.123Z'),
    'It is idle, and is stopped at 2026-12-01 10:00:05 UTC unless it is used.',
  )
})
