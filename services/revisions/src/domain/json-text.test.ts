import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isContainer, nestingMax, problemOfJson } from './json-text.js'

test('any JSON value is fine, what only looks like it is not', () => {
  for (const text of [
    '{}',
    '[]',
    '"a"',
    '1',
    'null',
    ' {"a": "\\u0000\\ud800"} ',
    '{"a":1,"a":2}',
  ]) {
    assert.equal(problemOfJson(text), undefined, text)
  }
  for (const text of ['', '{', '{"a": NaN}', "{'a': 1}", '{} x', '"\\x"', '{"a":1,}']) {
    assert.equal(problemOfJson(text), 'must be JSON', text)
  }
})

test('nesting is bounded, brackets inside strings do not count', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(problemOfJson(nested(nestingMax)), undefined)
  assert.match(problemOfJson(nested(nestingMax + 1)) ?? '', /nested/)
  assert.equal(problemOfJson(JSON.stringify({ text: '["\\{'.repeat(5000) })), undefined)
  assert.equal(problemOfJson(JSON.stringify('x'.repeat(20_000_000))), undefined)
})

test('objects and arrays are containers', () => {
  assert.ok(isContainer(' \n{"a":1}') && isContainer('[]'))
  assert.ok(!isContainer('"{"') && !isContainer('1') && !isContainer('true'))
})
