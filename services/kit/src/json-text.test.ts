import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isContainer, problemOfJson } from './json-text.js'

test('any JSON value is fine, what only looks like it is not', () => {
  for (const text of [
    '{}',
    '[]',
    '"a"',
    '1',
    'null',
    ' {"a": "\\ud83d\\ude00"} ',
    '{"a": "\\\\u0000"}',
    '{"a":1,"a":2}',
  ]) {
    assert.equal(problemOfJson(text, 100), undefined, text)
  }
  for (const text of ['', '{', '{"a": NaN}', "{'a': 1}", '{} x', '"\\x"', '{"a":1,}']) {
    assert.equal(problemOfJson(text, 100), 'must be JSON', text)
  }
})

test('text that cannot be stored is found, in names and values, however deep', () => {
  for (const text of [
    '"\\u0000"',
    '{"a": [{"b": "x\\u0000y"}]}',
    '{"\\u0000": 1}',
    '["\\ud800"]',
    '{"a\\uDFFF": []}',
  ]) {
    assert.match(problemOfJson(text, 100) ?? '', /U\+0000|surrogate/, text)
  }
})

test('nesting is bounded, brackets inside strings do not count', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(problemOfJson(nested(100), 100), undefined)
  assert.match(problemOfJson(nested(101), 100) ?? '', /nested/)
  assert.equal(problemOfJson(JSON.stringify({ text: '["\\{'.repeat(5000) }), 100), undefined)
  assert.equal(problemOfJson(JSON.stringify('x'.repeat(20_000_000)), 100), undefined)
})

test('objects and arrays are containers', () => {
  assert.ok(isContainer(' \n{"a":1}') && isContainer('[]'))
  assert.ok(!isContainer('"{"') && !isContainer('1') && !isContainer('true'))
})
