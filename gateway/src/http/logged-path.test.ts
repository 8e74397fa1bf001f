import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loggedPath } from './logged-path.js'

test('logs paths with ids and names, but without tokens and queries', () => {
  const token = randomBytes(32).toString('base64url')
  const base = '/api/v1.4.1/invitations/workspace'
  assert.equal(loggedPath(`${base}/${token}/accept/`), `${base}/[token]/accept/`)
  assert.equal(loggedPath(`${base}/${token}?x=${token}`), `${base}/[token]`)
  const path = `/api/v1.4.1/figure/${randomUUID()}/share/user/`
  assert.equal(loggedPath(path), path)
})
