import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loggedPath } from './logged-path.js'

test('a token in a path, and the query, are not logged; ids and names are', () => {
  const token = randomBytes(32).toString('base64url')
  const base = '/api/v1.4.1/invitations/workspace'
  assert.equal(loggedPath(`${base}/${token}/accept/`), `${base}/[token]/accept/`)
  assert.equal(loggedPath(`${base}/${token}?x=${token}`), `${base}/[token]`)
  const path = `/api/v1.4.1/figure/${randomUUID()}/share/user/`
  assert.equal(loggedPath(path), path)
})
