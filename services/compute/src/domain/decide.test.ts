import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation, RunState } from '../drivers/port.js'
import { actionOf, findingOf, type Subject } from './decide.js'
import type { Desired, Observed } from './lifecycle.js'

const attemptsMax = 2
const row = (desired: Desired, observed: Observed, attempts = 0): Subject => ({
  desired,
  observed,
  run_id: 'b',
  attempts,
  is_removal_due: true,
})
const keeping = (at: Subject): Subject => ({ ...at, is_removal_due: false })
const seen = (state: RunState, runId = 'b'): Observation => ({
  instanceId: 'i',
  runId,
  state,
  detail: 'why',
  ranForMs: 1,
})

const findings: [Subject, Observation | undefined, string | undefined][] = [
  [row('running', 'none'), seen('starting'), 'run_starting'],
  [row('running', 'none'), seen('running'), 'run_running'],
  [row('running', 'running'), seen('running'), undefined],
  [row('running', 'running'), seen('stopped'), 'run_stopped'],
  [row('running', 'running'), seen('failed'), 'run_retried'],
  [row('running', 'starting', attemptsMax), seen('failed'), 'run_failed'],
  [row('stopped', 'running'), seen('failed'), 'run_failed'],
  [row('running', 'running'), undefined, 'run_retried'],
  [row('stopped', 'running'), undefined, 'run_failed'],
  [row('running', 'none'), undefined, undefined],
  [row('running', 'none'), seen('stopped', 'a'), undefined],
  [row('running', 'running'), seen('stopped', 'a'), 'run_retried'],
  [row('stopped', 'stopped'), seen('stopped'), undefined],
  [row('terminated', 'gone'), seen('running'), 'run_reappeared'],
  [row('terminated', 'gone'), seen('stopped'), 'run_reappeared'],
  [row('stopped', 'stopped'), seen('starting', 'a'), 'run_reappeared'],
]
for (const [at, found, happening] of findings) {
  const what = `${found?.state ?? 'nothing'} of ${found?.runId ?? 'it'}`
  test(`${at.desired} ${at.observed}, seen ${what}: ${happening}`, () => {
    assert.equal(findingOf(at, found, attemptsMax)?.happening, happening)
  })
}

const actions: [Subject, Observation | undefined, object | undefined][] = [
  [row('running', 'none'), undefined, { call: 'start' }],
  [row('running', 'none'), seen('stopped', 'a'), { call: 'start' }],
  [row('running', 'none'), seen('running', 'a'), { call: 'stop', runId: 'a' }],
  [row('running', 'none', attemptsMax), undefined, stopping('run_failed')],
  [row('running', 'running'), seen('running'), undefined],
  [row('stopped', 'running'), seen('running'), { call: 'stop', runId: 'b' }],
  [row('stopped', 'none'), undefined, stopping('run_stopped')],
  [row('stopped', 'stopped'), seen('stopped'), undefined],
  [row('terminated', 'running'), seen('running'), { call: 'stop', runId: 'b' }],
  [row('terminated', 'failed'), seen('failed'), { call: 'remove' }],
  [row('terminated', 'stopped'), undefined, { call: 'none', happening: 'removed' }],
  [row('terminated', 'gone'), undefined, undefined],
  [keeping(row('terminated', 'running')), seen('running'), { call: 'stop', runId: 'b' }],
  [keeping(row('terminated', 'stopped')), seen('stopped'), undefined],
  [keeping(row('terminated', 'failed')), undefined, undefined],
]
for (const [at, found, action] of actions) {
  const what = `${found?.state ?? 'nothing'} of ${found?.runId ?? 'it'}`
  const volume = at.is_removal_due ? '' : ', with a volume that is kept'
  test(`${at.desired} ${at.observed} after ${at.attempts} attempts, seen ${what}${volume}: acts`, () => {
    assert.deepEqual(actionOf(at, found, attemptsMax), action)
  })
}

function stopping(happening: string) {
  return { call: 'stop', runId: 'b', happening }
}
