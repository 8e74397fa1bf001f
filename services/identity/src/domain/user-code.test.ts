import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfUserCode, newUserCode } from './user-code.js'

test('codes are two groups of four consonants, and differ', () => {
  const codes = new Set(Array.from({ length: 1000 }, newUserCode))
  assert.equal(codes.size, 1000)
  for (const code of codes) assert.match(code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
})

test('a code may be typed in any case, with or without its hyphen', () => {
  const code = 'BCDF-GHJK'
  for (const typed of ['bcdf-ghjk', 'BCDFGHJK', ' bcdf ghjk ']) {
    assert.deepEqual(hashOfUserCode(typed), hashOfUserCode(code))
  }
  assert.notDeepEqual(hashOfUserCode('BCDF-GHJL'), hashOfUserCode(code))
})
