import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain, toJson, toTable } from '../src/text.js'

test('removes escape sequences, control characters and changes of direction', () => {
  assert.equal(plain('\u001b[31mred\u001b[0m'), 'red')
  assert.equal(plain('\u001b]0;title\u0007x'), 'x')
  assert.equal(plain('a\r\nb\tc\u0000\u009b31m'), 'a b c')
  assert.equal(plain('name\u202egnp.exe'), 'name gnp.exe')
  assert.equal(plain('Δψm 图 👍'), 'Δψm 图 👍')
})

test('JSON has the same values without control characters', () => {
  const value = { name: '\u009b31m\u007f\u202e\u001b' }
  const json = toJson(value)
  assert.deepEqual(JSON.parse(json), value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  assert.doesNotMatch(json, /[\u0000-\u0009\u001b\u007f-\u009f\u202e]/)
})

test('columns are aligned, the last one is not padded', () => {
  const rows = [
    ['a', 'long', 'x'],
    ['bbb', 'b', ''],
  ]
  assert.equal(toTable(rows), 'a    long  x\nbbb  b\n')
  assert.equal(toTable([]), '')
})
