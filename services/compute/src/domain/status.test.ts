import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Observable, statusOf } from './status.js'

const staleMs = 30_000
const running: Observable = {
  desired: 'running',
  observed: 'running',
  detail: '',
  attempts: 0,
  heartbeat_age_ms: 1000,
  running_for_ms: 60_000,
  jupyter_up: true,
  ends_on: null,
  idle_stops_on: null,
  removes_on: null,
}
const cases: [string, Partial<Observable>, string, string, string][] = [
  ['measured', {}, 'Running', 'healthy', ''],
  ['not measured yet', { heartbeat_age_ms: null, running_for_ms: 500 }, 'Running', 'unknown', ''],
  [
    'measured in an earlier run',
    { heartbeat_age_ms: 90_000, running_for_ms: 500 },
    'Running',
    'unknown',
    '',
  ],
  [
    'never measured',
    { heartbeat_age_ms: null },
    'Not responding',
    'unhealthy',
    'The notebook server does not respond.',
  ],
  [
    'not measured for long',
    { heartbeat_age_ms: 30_001 },
    'Not responding',
    'unhealthy',
    'The notebook server does not respond.',
  ],
  [
    'without a notebook server',
    { jupyter_up: false },
    'Not responding',
    'unhealthy',
    'The notebook server does not respond.',
  ],
  [
    'without an allowance',
    { ends_on: '2026-12-01 10:00:00+00' },
    'Running',
    'healthy',
    'The plan has no time left in this month: the instance is stopped at 2026-12-01 10:00 UTC.',
  ],
  [
    'idle',
    { idle_stops_on: '2026-12-01 10:00:05.5+00' },
    'Running',
    'healthy',
    'It is idle, and is stopped at 2026-12-01 10:00:05 UTC unless it is used.',
  ],
  ['waiting', { observed: 'none' }, 'Pending', 'unknown', ''],
  [
    'waiting for another attempt',
    { observed: 'none', attempts: 2, detail: 'No space left.' },
    'Retrying',
    'unknown',
    'No space left.',
  ],
  [
    'failed',
    { desired: 'stopped', observed: 'failed', detail: 'Out of memory.' },
    'Failed',
    'unknown',
    'Out of memory.',
  ],
  [
    'terminated, with its files',
    { desired: 'terminated', observed: 'stopped', removes_on: '2026-12-08 10:00:05+00' },
    'Terminated',
    'unknown',
    'Its files are deleted at 2026-12-08 10:00 UTC.',
  ],
  [
    'terminated',
    { desired: 'terminated', observed: 'gone', removes_on: '2026-12-08 10:00:05+00' },
    'Terminated',
    'unknown',
    '',
  ],
  ['being terminated', { desired: 'terminated' }, 'Terminating', 'unknown', ''],
]

for (const [name, given, status, health, detail] of cases) {
  test(`${name}: ${status}, ${health}`, () => {
    const found = statusOf({ ...running, ...given }, staleMs)
    assert.deepEqual(
      [found.user_facing_status, found.health, found.status_detail],
      [status, health, detail],
    )
  })
}
