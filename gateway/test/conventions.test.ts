import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure } from '@figbase/kit/errors'
import { IdentityService } from '@figbase/proto/identity'
import { authorization, startEdge } from './start-edge.js'

const problems = { accept: 'application/problem+json' }

test('sends 503 with Retry-After, as JSON or as problem details', async () => {
  await using edge = await startEdge((router) =>
    router.service(IdentityService, {
      getUser: () => {
        throw failure(Code.Unavailable, 'unavailable', 'try again soon')
      },
    }),
  )
  const headers = authorization()
  for (const more of [{}, problems]) {
    const response = await fetch(`${edge.url}/api/v1/user/`, { headers: { ...headers, ...more } })
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '5')
    const { error, detail } = (await response.json()) as Record<string, string>
    assert.deepEqual([error, detail], ['unavailable', 'try again soon'])
  }
})

test('a process that is not ready sends 503 with Retry-After', async () => {
  const checks = new Map([['identity', async () => false]])
  await using edge = await startEdge(() => {}, {}, undefined, checks)
  const response = await fetch(`${edge.url}/readyz`)
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('retry-after'), '1')
  await response.text()
})

test('a 429 at the limit has problem details, and the headers of the IETF draft', async () => {
  await using edge = await startEdge(() => {}, { REQUESTS_PER_MINUTE_MAX: '2' })
  const ask = () => fetch(`${edge.url}/api/v1/info/`, { headers: problems })
  for (const left of [1, 0]) {
    const { headers, status } = await ask()
    assert.equal(status, 200)
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"requests";r=${left};t=\\d+$`))
    assert.equal(headers.get('ratelimit-policy'), '"requests";q=2;w=60')
  }
  const refused = await ask()
  assert.equal(refused.headers.get('content-type'), 'application/problem+json')
  const { status, title, error } = (await refused.json()) as Record<string, unknown>
  assert.deepEqual([status, title, error], [429, 'Too Many Requests', 'too_many_requests'])
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
})

test('only responses of a deprecated version say so, errors included', async () => {
  const DEPRECATED_VERSIONS = 'v1=2027-01-01/2028-01-01,v1.1=2027-02-01'
  await using edge = await startEdge(() => {}, { DEPRECATED_VERSIONS })
  const read = async (path: string) => {
    const { headers } = await fetch(`${edge.url}/api/${path}`)
    return [headers.get('deprecation'), headers.get('sunset'), headers.get('link')]
  }
  const link = '</docs/versions>; rel="deprecation"; type="text/html"'
  const ends = ['@1798761600', 'Sat, 01 Jan 2028 00:00:00 GMT', link]
  assert.deepEqual(await read('v1/info/'), ends)
  assert.deepEqual(await read('v1/user/'), ends)
  assert.deepEqual(await read('v1.1/info/'), ['@1801440000', null, link])
  assert.deepEqual(await read('v1.2/info/'), [null, null, null])
})
