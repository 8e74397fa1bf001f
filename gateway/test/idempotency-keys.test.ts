import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/routes/index.js'

test('each POST supports Idempotency-Key, is idempotent, or says why it needs no key', () => {
  for (const { method, path, idempotent, idempotencyKey } of endpoints) {
    const isKeyed = method === 'POST' && !idempotent
    assert.equal(idempotencyKey !== undefined, isKeyed, `${method} ${path}`)
  }
})

test('a POST that creates something supports Idempotency-Key, or answers with a secret', () => {
  // These create what does no harm twice: a task that replaces the one before, an upload that expires, a test, and an import.
  const exceptions = [
    '/deep_insight/story/generate/',
    '/deep_insight/story/refine_async/',
    '/upload/',
    '/webhook/:api_id/test/',
    '/git_repository/:api_id/import/',
  ]
  const unsupported = endpoints.filter(
    ({ method, responses, idempotencyKey }) =>
      method === 'POST' &&
      (201 in responses || 202 in responses) &&
      idempotencyKey !== 'supported' &&
      idempotencyKey !== 'secret',
  )
  const others = unsupported.filter(({ idempotent }) => !idempotent).map(({ path }) => path)
  assert.deepEqual(
    others.filter((path) => !exceptions.includes(path)),
    [],
  )
})

test('routes that support Idempotency-Key know their caller, and their handler reads no raw body', () => {
  const supported = endpoints.filter(({ idempotencyKey }) => idempotencyKey === 'supported')
  assert.ok(supported.length > 20)
  for (const { path, auth, bytesType, requestHeaders } of supported) {
    assert.ok(requestHeaders && 'Idempotency-Key' in requestHeaders.shape, path)
    assert.equal(auth, 'required', path)
    assert.equal(bytesType, undefined, path)
  }
})
