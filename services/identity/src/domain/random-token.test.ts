import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, newToken } from './random-token.js'

test('a token has 256 random bits and is URL-safe', () => {
  const tokens = Array.from({ length: 100 }, newToken)
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(new Set(tokens).size, 100)
})

test('hashes a token with SHA-256', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(hashOf('abc').toString('hex'), digest)
})
