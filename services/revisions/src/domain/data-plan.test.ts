import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planData } from './data-plan.js'

const live = ['a', 'b', 'c'].map((id, n) => ({ id, size_bytes: BigInt(n + 1), position: n }))
const fresh = { size: 10n }

test('a list replaces the data that it does not name', () => {
  const plan = planData(live, ['c', fresh, 'a'], 'replace')
  assert.deepEqual(plan.moved, [
    { id: 'c', position: 0 },
    { id: 'a', position: 2 },
  ])
  assert.deepEqual(plan.added, [{ object: fresh, position: 1 }])
  assert.deepEqual(plan.detached, ['b'])
  assert.equal(plan.growth, 8n)
  assert.deepEqual(plan.all, [live[2], fresh, live[0]])
})

test('appended data comes last', () => {
  const plan = planData(live, [fresh, fresh], 'append')
  assert.deepEqual(
    plan.added.map(({ position }) => position),
    [3, 4],
  )
  assert.deepEqual([plan.moved, plan.detached], [[], []])
  assert.equal(plan.growth, 20n)
})

test('rejects an unknown or repeated id', () => {
  assert.throws(() => planData(live, ['a', 'x'], 'replace'), {
    message: '[invalid_argument] data[1].api_id: does not exist in this revision',
  })
  assert.throws(() => planData(live, ['a', 'a'], 'replace'), /data\[1\]\.api_id/)
  assert.throws(() => planData(live, ['a'], 'append'), /data\[0\]\.api_id/)
})
