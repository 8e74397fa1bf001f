import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit'
import { userNamed } from './subject.js'
import { uuidOrNotFound } from './uuid.js'

const id = '6e1b8a5e-2d6c-4b6e-9a53-0d3f4a2f1c11'

test('a UUID is one in capitals too', () => {
  for (const username of ['ada', '']) {
    assert.equal(uuidOrNotFound(id.toUpperCase(), userNamed(username)), id)
  }
})

test('a malformed id is not found for who is signed in, and 401 for who is not', () => {
  const of = (username: string, kind?: 'figure') => () =>
    uuidOrNotFound('figure-1', userNamed(username), kind)
  assert.throws(of('ada', 'figure'), { message: '[not_found] this figure does not exist' })
  assert.throws(of('ada'), { message: '[not_found] this object does not exist' })
  assert.throws(of('', 'figure'), (error) => {
    assert.ok(error instanceof ConnectError)
    assert.equal(error.message, '[unauthenticated] sign in first')
    return detailOf(error)?.error === 'not_authenticated'
  })
})
