import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InternedIds } from './interned-ids.js'

test('an id keeps its number until its last use ends', () => {
  const ids = new InternedIds()
  const [a, b] = [ids.use('a'), ids.use('b')]
  assert.notEqual(a, b)
  assert.equal(ids.use('a'), a)
  ids.release(a)
  assert.equal(ids.find('a'), a)
  ids.release(a)
  assert.equal(ids.find('a'), undefined)
  assert.equal(ids.use('c'), a)
  assert.equal(ids.limit, 3)
  assert.equal(ids.use(null), 0)
  ids.release(0)
  assert.equal(ids.find(''), undefined)
})
