import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServerUnavailable } from './pg-errors.js'

const withCode = (code: string, more = {}) => Object.assign(new Error('no'), { code, ...more })

test('tells an unavailable server from a failed statement', () => {
  const unavailable = [
    withCode('57P01'),
    withCode('57P03'),
    withCode('08006'),
    withCode('53300'),
    withCode('ECONNREFUSED', { syscall: 'connect' }),
    withCode('ENOENT', { syscall: 'connect' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Client has encountered a connection error and is not queryable'),
  ]
  for (const error of unavailable) assert.ok(isServerUnavailable(error), `${error}`)
  const others = [
    withCode('23505'),
    withCode('40001'),
    withCode('42P01'),
    withCode('ENOENT', { syscall: 'open' }),
    new Error('no'),
    undefined,
    'Connection terminated unexpectedly',
  ]
  for (const error of others) assert.ok(!isServerUnavailable(error), `${error}`)
})
