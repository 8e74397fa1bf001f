import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deployment, LATEST } from '../src/deployment.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser

before(async () => {
  alice = await signUp()
})

type Sent = { method?: string; accept?: string; headers?: Record<string, string> }

async function ask(path: string, { method = 'GET', accept, headers }: Sent = {}) {
  const response = await fetch(new URL(path, deployment.origin), {
    method,
    redirect: 'manual',
    headers: {
      authorization: alice.api.authorization ?? '',
      ...(accept !== undefined && { accept }),
      ...headers,
    },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

const api = `/api/${LATEST}`
const unknown = `${api}/figure/${crypto.randomUUID()}/`

test('every response has an X-Request-Id, that of the request if it has one', async () => {
  const paths = [`${api}/workspace/`, unknown, `${api}/none/`, '/', '/healthz', '/docs/', '/none']
  for (const path of paths) {
    for (const method of ['GET', 'OPTIONS', 'HEAD']) {
      const { headers } = await ask(path, { method })
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, `${method} ${path}`)
      const given = { 'x-request-id': 'mine-1' }
      assert.equal(
        (await ask(path, { method, headers: given })).headers.get('x-request-id'),
        'mine-1',
      )
    }
  }
})

test('each response says how many requests are left, in the form of the IETF draft', async () => {
  const { headers } = await ask(`${api}/workspace/`)
  const [, left, seconds] =
    /^"requests";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  assert.equal(left, headers.get('ratelimit-remaining'))
  assert.equal(seconds, headers.get('ratelimit-reset'))
  const limit = headers.get('ratelimit-limit')
  assert.equal(headers.get('ratelimit-policy'), `"requests";q=${limit};w=60`)
  assert.match(headers.get('access-control-expose-headers') ?? '', /RateLimit, RateLimit-Policy/)
})

test('no version is deprecated by default', async () => {
  const { headers } = await ask('/api/v1/info/')
  assert.deepEqual([headers.get('deprecation'), headers.get('sunset')], [null, null])
})

type Problem = Record<string, unknown>

test('an error is problem details if Accept names them', async () => {
  const refused = [
    { path: unknown, status: 404, title: 'Not Found', error: 'not_found' },
    { path: `${api}/none/`, status: 404, title: 'Not Found', error: 'not_found' },
    { path: '/none', status: 404, title: 'Not Found', error: 'not_found' },
    { path: `${api}/info/`, method: 'DELETE', status: 405, title: 'Method Not Allowed' },
    { path: `${api}/comment/`, status: 400, title: 'Bad Request', error: 'invalid_request' },
  ]
  for (const { path, status, title, error, method } of refused) {
    const accept = 'application/problem+json, application/json;q=0.9'
    const asked = await ask(path, { accept, ...(method && { method }) })
    assert.equal(asked.status, status, path)
    assert.equal(asked.headers.get('content-type')?.split(';')[0], 'application/problem+json')
    const problem = JSON.parse(asked.text) as Problem
    assert.deepEqual([problem.type, problem.status, problem.title], ['about:blank', status, title])
    if (error) assert.equal(problem.error, error)

    const usual = await ask(path, { accept: '*/*', ...(method && { method }) })
    assert.equal(usual.headers.get('content-type')?.split(';')[0], 'application/json')
    const { type: _, title: __, status: ___, ...members } = problem
    assert.deepEqual(JSON.parse(usual.text), members)
  }
})

test('a success is not affected by problem details in Accept', async () => {
  const asked = await ask(`${api}/workspace/`, { accept: 'application/problem+json' })
  assert.equal(asked.status, 200)
  assert.match(asked.headers.get('content-type') ?? '', /^application\/json/)
})
