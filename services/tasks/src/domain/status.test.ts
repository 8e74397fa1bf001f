import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after, isFinished, type Status, statuses } from './status.js'

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
