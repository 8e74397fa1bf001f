import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { subjectFor } from './subject.js'
import { uuidOrNotFound } from './uuid.js'

const id = '6e1b8a5e-2d6c-4b6e-9a53-0d3f4a2f1c11'

test('accepts a UUID in upper case', () => {
  for (const username of ['ada', '']) {
    assert.equal(uuidOrNotFound(id.toUpperCase(), subjectFor(username)), id)
  }
})

test('a malformed id is 404 for a signed-in caller, and 401 for an anonymous one', () => {
  const of = (username: string, kind?: 'figure') => () =>
    uuidOrNotFound('figure-1', subjectFor(username), kind)
  assert.throws(of('ada', 'figure'), { message: '[not_found] this figure does not exist' })
  assert.throws(of('ada'), { message: '[not_found] this object does not exist' })
  assert.throws(of('', 'figure'), (error) => {
    assert.ok(error instanceof ConnectError)
    assert.equal(error.message, '[unauthenticated] sign in first')
    return detailOf(error)?.error === 'not_authenticated'
  })
})
