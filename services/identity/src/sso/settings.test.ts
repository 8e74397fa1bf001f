import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnvReader } from '@figbase/kit/config'
import { readOidcSettings } from './settings.js'

const problemsOf = (env: Record<string, string>) => {
  const reader = new EnvReader(env)
  readOidcSettings(reader)
  return reader.problems
}
const OIDC_ISSUER = 'https://login.example.org/'
const valid = { OIDC_ISSUER, OIDC_CLIENT_ID: 'web', OIDC_AUDIENCE: 'https://figbase.example.org' }

test('requires a secure issuer URL, and a client id or audience', () => {
  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(problemsOf(valid), [])
  for (const issuer of ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000']) {
    assert.deepEqual(problemsOf({ ...valid, OIDC_ISSUER: issuer }), [])
  }
  const problems: Record<string, string>[] = [
    { OIDC_ISSUER: 'http://login.example.org' },
    { OIDC_ISSUER: 'http://127.0.0.1.example.org' },
    { OIDC_ISSUER: 'login.example.org' },
    { OIDC_ISSUER: 'ftp://login.example.org' },
    { OIDC_ISSUER: '' },
    { OIDC_CLIENT_ID: '', OIDC_AUDIENCE: '' },
    { OIDC_CLIENT_AUTH_METHOD: 'none' },
  ]
  for (const bad of problems) {
    assert.equal(problemsOf({ ...valid, ...bad }).length, 1, JSON.stringify(bad))
  }
})

test('rejects a client id as the audience of access tokens', () => {
  assert.match(problemsOf({ ...valid, OIDC_AUDIENCE: 'web' }).join(), /OIDC_AUDIENCE/)
  const cli = { OIDC_CLI_CLIENT_ID: 'cli', OIDC_AUDIENCE: 'cli' }
  assert.match(problemsOf({ ...valid, ...cli }).join(), /OIDC_AUDIENCE/)
})
