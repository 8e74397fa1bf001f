import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskStatus } from '@figbase/proto/tasks'
import { isFinished, nextStatus, type Status, statuses, statusOf, toWire } from './status.js'

test('a status only moves forward, and a finished one does not change', () => {
  const moves: Record<Status, Status[]> = {
    PENDING: ['STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'],
    STARTED: ['SUCCESS', 'FAILURE', 'REVOKED'],
    SUCCESS: [],
    FAILURE: [],
    REVOKED: [],
  }
  for (const from of statuses) {
    assert.equal(nextStatus(from, undefined), from)
    for (const to of statuses) {
      assert.equal(nextStatus(from, to), moves[from].includes(to) ? to : from, `${from} to ${to}`)
    }
  }
  assert.deepEqual(statuses.filter(isFinished), ['SUCCESS', 'FAILURE', 'REVOKED'])
})

test('maps each status to its wire value, and rejects others', () => {
  const numbers = Object.values(TaskStatus).filter((one) => typeof one === 'number')
  const known = numbers.filter((number) => statusOf(number) !== undefined)
  assert.deepEqual(known.map(statusOf), statuses)
  assert.deepEqual(known, statuses.map(toWire))
  for (const status of statuses) assert.equal(TaskStatus[toWire(status)], status)
  assert.equal(statusOf(TaskStatus.UNSPECIFIED), undefined)
})
