import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTier } from './tiers.js'

test('a tier has an id, vCPU, memory and a description', () => {
  assert.deepEqual(parseTier('small:0.5:2'), {
    id: 'small',
    label: 'Small',
    vcpu: 0.5,
    memoryGb: 2,
    description: '0.5 vCPU, 2 GB of memory',
  })
  const large = parseTier('extra-large:16:64:For large tables')
  assert.deepEqual([large?.label, large?.description], ['Extra large', 'For large tables'])
})

for (const text of [
  '',
  'small',
  'small:1',
  'Small:1:2',
  'small:0:2',
  'small:1:-2',
  'a:1:2:',
  'a:1e3:2',
]) {
  test(`'${text}' is no tier`, () => {
    assert.equal(parseTier(text), undefined)
  })
}
