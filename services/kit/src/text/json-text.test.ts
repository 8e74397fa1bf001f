import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isContainer, membersOf, problemOfJson, withMembers } from './json-text.js'

test('accepts any JSON value and rejects invalid JSON', () => {
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

test('finds text that cannot be stored in names and values at any depth', () => {
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

test('limits nesting, ignoring brackets in strings', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(problemOfJson(nested(100), 100), undefined)
  assert.match(problemOfJson(nested(101), 100) ?? '', /nested/)
  assert.equal(problemOfJson(JSON.stringify({ text: '["\\{'.repeat(5000) }), 100), undefined)
  assert.equal(problemOfJson(JSON.stringify('x'.repeat(20_000_000)), 100), undefined)
})

test('recognizes objects and arrays', () => {
  assert.ok(isContainer(' \n{"a":1}') && isContainer('[]'))
  assert.ok(!isContainer('"{"') && !isContainer('1') && !isContainer('true'))
})

test('returns the members of an object as source text', () => {
  const text =
    ' { "a" : 9007199254740993, "b\\u0022,}": {"x":[1,{"y":","}]} ,"c":"}\\"", "1":[ ], "a":1.0 } '
  assert.deepEqual(
    [...membersOf(text)],
    [
      ['a', '1.0'],
      ['b",}', '{"x":[1,{"y":","}]}'],
      ['c', '"}\\""'],
      ['1', '[ ]'],
    ],
  )
  for (const empty of ['{}', ' { } ']) assert.deepEqual([...membersOf(empty)], [])
})

test('replaces whole members in place', () => {
  const stored = '{"b":{"x":1},"1":2,"a":1e3}'
  assert.equal(withMembers(stored, '{"b":{"y":2},"c":[]}'), '{"b":{"y":2},"1":2,"a":1e3,"c":[]}')
  assert.equal(withMembers(stored, stored), stored)
  assert.equal(withMembers(stored, '{}'), stored)
  assert.equal(withMembers('{}', '{"__proto__": {"a": 1}}'), '{"__proto__":{"a": 1}}')
})
