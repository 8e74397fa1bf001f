import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskStatus } from '@figbase/proto/tasks'
import { after, isFinished, type Status, statuses, statusOf, toWire } from './status.js'

test('a status moves forward only, and what is finished stays', () => {
  const moves: Record<Status, Status[]> = {
    PENDING: ['STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'],
    STARTED: ['SUCCESS', 'FAILURE', 'REVOKED'],
    SUCCESS: [],
    FAILURE: [],
    REVOKED: [],
  }
  for (const from of statuses) {
    assert.equal(after(from, undefined), from)
    for (const to of statuses) {
      assert.equal(after(from, to), moves[from].includes(to) ? to : from, `${from} to ${to}`)
    }
  }
  assert.deepEqual(statuses.filter(isFinished), ['SUCCESS', 'FAILURE', 'REVOKED'])
})

test('each status has its number on the wire, and no other number is one', () => {
  const numbers = Object.values(TaskStatus).filter((one) => typeof one === 'number')
  const known = numbers.filter((number) => statusOf(number) !== undefined)
  assert.deepEqual(known.map(statusOf), statuses)
  assert.deepEqual(known, statuses.map(toWire))
  for (const status of statuses) assert.equal(TaskStatus[toWire(status)], status)
  assert.equal(statusOf(TaskStatus.UNSPECIFIED), undefined)
})
