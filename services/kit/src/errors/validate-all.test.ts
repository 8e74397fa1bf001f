import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf, invalid, notFound } from './errors.js'
import { validateAll } from './validate-all.js'

const throwing = (error: Error) => () => {
  throw error
}

test('returns the values of passed checks by name', () => {
  assert.deepEqual(validateAll({ name: () => 'a', size: () => 1 }), { name: 'a', size: 1 })
})

test('throws all violations as one error, in order', () => {
  const nested = () =>
    validateAll({ c: throwing(invalid('c', 'is wrong')), d: throwing(invalid('d', 'is odd')) })
  assert.throws(
    () => validateAll({ a: throwing(invalid('a', 'is required')), b: () => 1, nested }),
    (error: unknown) => {
      assert.ok(error instanceof ConnectError)
      assert.equal(error.rawMessage, 'a: is required')
      const fields = detailOf(error)?.fields.map(({ field, reason }) => [field, reason])
      assert.deepEqual(fields, [
        ['a', 'is required'],
        ['c', 'is wrong'],
        ['d', 'is odd'],
      ])
      return true
    },
  )
})

test('rethrows any other error', () => {
  const missing = notFound('this')
  const checks = { a: throwing(invalid('a', 'is required')), b: throwing(missing) }
  assert.throws(() => validateAll(checks), missing)
})
