import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isToken, newToken } from './api-key-token.js'
import { hashOf } from './random-token.js'

test('tokens are unique and have the prefix', () => {
  const tokens = new Set(Array.from({ length: 1000 }, newToken))
  assert.equal(tokens.size, 1000)
  for (const token of tokens) {
    assert.match(token, /^figbase_[A-Za-z0-9_-]{51}$/)
    assert.ok(isToken(token))
  }
})

test('rejects a token with any changed character', () => {
  const token = newToken()
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a'
    assert.equal(isToken(token.slice(0, at) + other + token.slice(at + 1)), false, `${at}`)
  }
  for (const text of ['', 'figbase_', `${token}a`, ` ${token}`, token.slice(0, -1)]) {
    assert.equal(isToken(text), false, text)
  }
})

test('the stored hash is the SHA-256 of the token', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(hashOf('abc').toString('hex'), expected)
})
