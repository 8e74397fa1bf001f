import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBounds } from './bounds.js'

const bytes = (text: string) => Buffer.from(text)
const tooDeep = { code: 'invalid', field: '' }
const tooMany = { code: 'too_large', field: '' }

test('limits the nesting of arrays and objects', () => {
  for (const [text, depth] of [
    ['1', 0],
    ['"[[["', 0],
    ['"\\"[{"', 0],
    ['"\\\\"', 0],
    ['[]', 1],
    ['["\\\\", []]', 2],
    ['{"a": 1, "b": 2}', 1],
    ['{"[{": [], "b": {"c": [null]}}', 3],
    ['[[], [], [{}], []]', 3],
  ] as const) {
    const json = bytes(text)
    checkBounds(json, { depthMax: depth, valuesMax: 100 })
    if (depth === 0) continue
    assert.throws(() => checkBounds(json, { depthMax: depth - 1, valuesMax: 100 }), tooDeep, text)
  }
})

test('limits the number of values, ignoring strings', () => {
  for (const [text, values] of [
    ['"[,,,"', 0],
    ['[1, 2, ",,"]', 3],
    ['{"a": [], "b,": {}}', 4],
    ['[[],[],[]]', 6],
  ] as const) {
    const json = bytes(text)
    checkBounds(json, { depthMax: 10, valuesMax: values })
    if (values === 0) continue
    assert.throws(() => checkBounds(json, { depthMax: 10, valuesMax: values - 1 }), tooMany, text)
  }
})
