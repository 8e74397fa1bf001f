import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskId } from './ids.js'

test('accepts a UUID in either case', () => {
  const id = '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e'
  assert.equal(taskId(id), id)
  assert.equal(taskId(id.toUpperCase()), id)
})

test('rejects other ids', () => {
  for (const id of ['', 'task', '0b1c2d3e']) {
    assert.throws(() => taskId(id), { message: '[not_found] this task does not exist' })
  }
})
