import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { checkedAll } from './checked-all.js'
import { detailOf, invalid, notFound } from './errors.js'

const throwing = (error: Error) => () => {
  throw error
}

test('the values of checks that pass stand by their names', () => {
  assert.deepEqual(checkedAll({ name: () => 'a', size: () => 1 }), { name: 'a', size: 1 })
})

test('all that is invalid comes as one error, in order', () => {
  const nested = () =>
    checkedAll({ c: throwing(invalid('c', 'is wrong')), d: throwing(invalid('d', 'is odd')) })
  assert.throws(
    () => checkedAll({ a: throwing(invalid('a', 'is required')), b: () => 1, nested }),
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

test('what is wrong otherwise ends the checks', () => {
  const missing = notFound('this')
  const checks = { a: throwing(invalid('a', 'is required')), b: throwing(missing) }
  assert.throws(() => checkedAll(checks), missing)
})
