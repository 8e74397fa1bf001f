import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase, FigbaseError, list } from '../src/index.js'
import { startFake, unavailable } from './fake-server.js'

const credentials = { apiKey: 'secret' }
const expired = { status: 401, json: { error: 'unauthenticated', code: 'token_not_valid' } }
const figure = { name: 'Means', analysis: 'a' }

/** The error of a call. */
async function errorOf(call: Promise<unknown>): Promise<FigbaseError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof FigbaseError, String(error))
  return error
}

test('repeats a read while the server is unavailable', async () => {
  await using server = await startFake(unavailable, unavailable, { json: { api_id: 'f' } })
  const figbase = createFigbase({ url: `${server.url}/`, credentials })
  const { api_id } = await figbase.get('/figure/{id}/', { path: { id: 'a b' } })
  assert.equal(api_id, 'f')
  assert.deepEqual(
    server.seen.map(({ url, headers }) => [url, headers.authorization]),
    Array(3).fill(['/api/v1.4.1/figure/a%20b/', 'Token secret']),
  )
})

test('repeats a creation with the same key', async () => {
  await using server = await startFake(unavailable, { status: 201, json: { api_id: 'f' } })
  const figbase = createFigbase({ url: server.url, credentials })
  await figbase.post('/figure/', { body: figure })
  await figbase.post('/figure/', { body: figure })
  const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys[0], keys[1])
  assert.notEqual(keys[1], keys[2])
  assert.deepEqual(JSON.parse(server.seen[1]?.body ?? ''), figure)
})

test('does not repeat a creation whose answer is a secret, except after too many requests', async () => {
  const limited = {
    status: 429,
    json: { error: 'too_many_requests' },
    headers: { 'retry-after': '0' },
  }
  await using server = await startFake(limited, unavailable)
  const figbase = createFigbase({ url: server.url, credentials })
  const { status, error, requestId } = await errorOf(
    figbase.post('/api_key/', { body: { name: 'CI' } }),
  )
  assert.deepEqual([status, error, requestId], [503, 'unavailable', 'r1'])
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['idempotency-key']),
    [undefined, undefined],
  )
})

test('does not repeat a conditional write', async () => {
  await using server = await startFake(unavailable)
  const figbase = createFigbase({ url: server.url, credentials })
  const init = { path: { id: 'f' }, body: { name: 'x' }, headers: { 'If-Match': '"1"' } }
  await errorOf(figbase.patch('/figure/{id}/', init))
  assert.equal(server.seen.length, 1)
})

test('takes a repeated deletion for done if the object is gone', async () => {
  const gone = { status: 404, json: { error: 'not_found' } }
  await using server = await startFake(unavailable, gone)
  const figbase = createFigbase({ url: server.url, credentials })
  await figbase.delete('/figure/{id}/', { path: { id: 'f' } })
  assert.equal((await errorOf(figbase.delete('/figure/{id}/', { path: { id: 'f' } }))).status, 404)
})

test('repeats a read whose connection breaks', async () => {
  await using server = await startFake(
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy())
      return undefined
    },
    { json: { api_id: 'f' } },
  )
  const figbase = createFigbase({ url: server.url })
  assert.equal((await figbase.get('/figure/{id}/', { path: { id: 'f' } })).api_id, 'f')
  assert.equal(server.seen[0]?.headers.authorization, undefined)
})

test('gives up after some attempts', async () => {
  await using server = await startFake(unavailable)
  const figbase = createFigbase({ url: server.url, retriesMax: 1 })
  assert.equal((await errorOf(figbase.get('/workspace/'))).status, 503)
  assert.equal(server.seen.length, 2)
})

test('does not wait for a server that asks for an hour', async () => {
  await using server = await startFake({ ...unavailable, headers: { 'retry-after': '3600' } })
  const figbase = createFigbase({ url: server.url })
  const { retryAfterMs } = await errorOf(figbase.get('/workspace/'))
  assert.deepEqual([server.seen.length, retryAfterMs], [1, 3_600_000])
})

test('an attempt has a limit, and the caller may abort at any time', async () => {
  await using server = await startFake(() => undefined)
  const figbase = createFigbase({ url: server.url, retriesMax: 0 })
  const { status, error } = await errorOf(figbase.get('/workspace/', { timeoutMs: 50 }))
  assert.deepEqual([status, error], [0, 'timed_out'])
  const reason = new Error('stopped by the user')
  const aborted = new AbortController()
  setTimeout(() => aborted.abort(reason), 200)
  await assert.rejects(figbase.get('/workspace/', { signal: aborted.signal }), reason)
  assert.equal(server.seen.length, 2)
  await assert.rejects(figbase.get('/workspace/', { signal: aborted.signal }), reason)
  assert.equal(server.seen.length, 2)
})

test('an abort ends the wait before a repetition', async () => {
  await using server = await startFake({ ...unavailable, headers: { 'retry-after': '50' } })
  const figbase = createFigbase({ url: server.url })
  const started = performance.now()
  await assert.rejects(figbase.get('/workspace/', { signal: AbortSignal.timeout(50) }), {
    name: 'TimeoutError',
  })
  assert.ok(performance.now() - started < 5000)
})

test('an unreachable server is an error that names the cause', async () => {
  const server = await startFake({})
  await server[Symbol.asyncDispose]()
  const figbase = createFigbase({ url: server.url, retriesMax: 0 })
  const { status, error, detail } = await errorOf(figbase.get('/workspace/'))
  assert.deepEqual([status, error], [0, 'unreachable'])
  assert.match(detail ?? '', /ECONNREFUSED/)
  const password = { username: 'ann', password: 'p' }
  const signingIn = createFigbase({ url: server.url, retriesMax: 0, credentials: password })
  assert.equal((await errorOf(signingIn.get('/workspace/'))).error, 'unreachable')
})

test('invalid members are named, and no error contains credentials', async () => {
  const errors = [{ field: 'name', problem: 'must not be empty' }]
  await using server = await startFake({
    status: 400,
    json: { error: 'invalid', detail: 'no', errors },
  })
  const figbase = createFigbase({ url: server.url, credentials })
  const error = await errorOf(figbase.post('/figure/', { body: figure }))
  assert.deepEqual(error.errors, errors)
  assert.equal(error.message, '400 invalid: no: name must not be empty')
  assert.ok(!JSON.stringify([error, error.stack, error.message]).includes('secret'))
})

test('an answer of something else than Figbase is an error', async () => {
  const page = { text: '<html>', headers: { 'content-type': 'text/html' } }
  await using server = await startFake(
    page,
    { ...page, status: 403 },
    {
      status: 302,
      headers: { location: 'http://127.0.0.1:9/' },
    },
  )
  const figbase = createFigbase({ url: server.url, retriesMax: 0 })
  assert.equal((await errorOf(figbase.get('/workspace/'))).error, 'invalid_response')
  const { status, error } = await errorOf(figbase.get('/workspace/'))
  assert.deepEqual([status, error], [403, 'invalid_response'])
  assert.equal((await errorOf(figbase.get('/workspace/'))).error, 'unreachable')
})

test('signs in with a password, and renews expired tokens once for all requests', async () => {
  let access = 0
  await using server = await startFake(({ url, body, headers }) => {
    if (url === '/api/token/') {
      assert.deepEqual(JSON.parse(body), { username: 'ann', password: 'correct' })
      return { json: { access: `a${++access}`, refresh: 'r' } }
    }
    if (url === '/api/token/refresh/') return { json: { access: `a${++access}` } }
    return headers.authorization === 'Bearer a1' ? expired : { json: [] }
  })
  const told: string[] = []
  const figbase = createFigbase({
    url: server.url,
    credentials: { username: 'ann', password: 'correct' },
    onTokens: ({ access, refresh }) => told.push(`${access} ${refresh}`),
  })
  await Promise.all(Array.from({ length: 5 }, () => figbase.get('/workspace/')))
  assert.deepEqual(told, ['a1 r', 'a2 r'])
})

test('signs in again if the refresh token has expired, and reports a wrong password', async () => {
  let isChanged = false
  await using server = await startFake(({ url, headers }) => {
    if (url === '/api/token/') {
      return isChanged
        ? { status: 401, json: { error: 'invalid_credentials', code: 'authentication_failed' } }
        : { json: { access: 'new', refresh: 'r' } }
    }
    if (url === '/api/token/refresh/') return expired
    return headers.authorization === 'Bearer new' && !isChanged ? { json: [] } : expired
  })
  const credentials = { username: 'ann', password: 'p' }
  const figbase = createFigbase({ url: server.url, credentials })
  await figbase.get('/workspace/')
  isChanged = true
  assert.equal((await errorOf(figbase.get('/workspace/'))).error, 'invalid_credentials')
})

test('a rejected API key, and tokens that cannot be renewed, are not tried again', async () => {
  const wrong = { status: 401, json: { error: 'invalid_api_key', code: 'authentication_failed' } }
  await using server = await startFake(wrong)
  await errorOf(createFigbase({ url: server.url, credentials }).get('/workspace/'))
  assert.equal(server.seen.length, 1)
  await using other = await startFake(expired)
  const tokens = { access: 'a', refresh: 'r' }
  const figbase = createFigbase({ url: other.url, credentials: tokens })
  assert.equal((await errorOf(figbase.get('/workspace/'))).code, 'token_not_valid')
  assert.deepEqual(
    other.seen.map(({ url }) => url),
    ['/api/v1.4.1/workspace/', '/api/token/refresh/'],
  )
})

test('credentials go to no other server', async () => {
  await using server = await startFake({})
  const figbase = createFigbase({ url: 'https://figbase.example.org', credentials })
  const sent = figbase.send({ method: 'GET', path: `${server.url}/api/x` }, async () => 1)
  await assert.rejects(sent, TypeError)
  assert.equal(server.seen.length, 0)
})

test('addresses that are not those of a server are refused', () => {
  for (const url of [
    'figbase.example.org',
    'ftp://figbase.example.org',
    'https://a:b@example.org',
  ]) {
    assert.throws(() => createFigbase({ url }), TypeError)
  }
})

test('a missing part of a path is refused', async () => {
  const figbase = createFigbase({ url: 'http://127.0.0.1:9' })
  await assert.rejects(figbase.get('/figure/{id}/', { path: { id: '' } }), /path needs id/)
})

test('a list is read page by page', async () => {
  await using server = await startFake(
    { json: { items: [{ api_id: '1' }, { api_id: '2' }], next: 'c' } },
    { json: { items: [{ api_id: '3' }], next: null } },
  )
  const figbase = createFigbase({ url: server.url })
  const ids: string[] = []
  const init = { query: { fields: 'api_id' }, pageSize: 2 }
  for await (const { api_id } of list(figbase, '/figure/', init)) ids.push(api_id)
  assert.deepEqual(ids, ['1', '2', '3'])
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['', '&cursor=c'].map((more) => `/api/v1.4.1/figure/?fields=api_id&page_size=2${more}`),
  )
})
