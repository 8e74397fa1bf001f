import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planData } from './data-plan.js'

const live = ['a', 'b', 'c'].map((id, n) => ({ id, size_bytes: BigInt(n + 1), position: n }))
const fresh = { size: 10n }

test('a list replaces what it does not name', () => {
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

test('what is appended comes last', () => {
  const plan = planData(live, [fresh, fresh], 'append')
  assert.deepEqual(
    plan.added.map(({ position }) => position),
    [3, 4],
  )
  assert.deepEqual([plan.moved, plan.detached], [[], []])
  assert.equal(plan.growth, 20n)
})

test('an id is refused when it is none of them, or there twice', () => {
  assert.throws(() => planData(live, ['a', 'x'], 'replace'), {
    message: '[invalid_argument] data[1].api_id: this revision has no such data object',
  })
  assert.throws(() => planData(live, ['a', 'a'], 'replace'), /data\[1\]\.api_id/)
  assert.throws(() => planData(live, ['a'], 'append'), /data\[0\]\.api_id/)
})
