import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, wantsProblem } from './problem.js'

test('Accept must name problem details', () => {
  for (const accept of [
    'application/problem+json',
    'application/json, application/problem+json',
    'Application/Problem+JSON;q=0.5, */*',
  ]) {
    assert.equal(wantsProblem({ accept }), true, accept)
  }
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/problem+json;q=0',
    'application/problem+json; q=0.0, application/json',
    'application/problem+jsonx',
  ]) {
    assert.equal(wantsProblem({ accept }), false, accept)
  }
})

test('a problem has the members of the error, and those of RFC 9457', () => {
  const body = { error: 'not_found', detail: 'this figure does not exist' }
  const { type, text } = problemOf({ status: 404, headers: {}, body })
  assert.equal(type, 'application/problem+json')
  assert.deepEqual(JSON.parse(text), {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    ...body,
  })
})
