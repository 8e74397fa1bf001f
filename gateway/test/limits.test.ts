import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unauthenticated } from '@figbase/kit/errors'
import { redisSkipReason, startRedisServer } from '@figbase/kit/testing'
import { IdentityService } from '@figbase/proto/identity'
import { authorization, startEdge } from './start-edge.js'

const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })
const [here, there] = [from('192.0.2.1'), from('192.0.2.2')]

async function ask(url: string, headers: Record<string, string>, path = '/api/v1/info/') {
  const response = await fetch(`${url}${path}`, { headers })
  const body = await response.text()
  const left = response.headers.get('ratelimit-remaining')
  return { status: response.status, left, headers: response.headers, body }
}

const statuses = async (answers: ReturnType<typeof ask>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)

test('sends the remaining allowance, and 429 with Retry-After above the limit', async () => {
  await using edge = await startEdge(() => {}, { ...proxied, REQUESTS_PER_MINUTE_MAX: '3' })
  for (const left of ['2', '1', '0']) {
    const answer = await ask(edge.url, here)
    assert.deepEqual([answer.status, answer.left], [200, left])
    assert.equal(answer.headers.get('ratelimit-limit'), '3')
    assert.match(answer.headers.get('ratelimit-reset') ?? '', /^([1-9]|[1-5]\d|60)$/)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /RateLimit-Remaining/)
  }
  const refused = await ask(edge.url, here)
  assert.deepEqual([refused.status, refused.left], [429, '0'])
  assert.equal(JSON.parse(refused.body).error, 'too_many_requests')
  assert.equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset'))
  assert.equal((await ask(edge.url, there)).status, 200)
})

test('counts requests of a user per user, independent of the address', async () => {
  await using edge = await startEdge(
    (router) => router.service(IdentityService, { getUser: () => ({}) }),
    { ...proxied, REQUESTS_PER_MINUTE_MAX: '2' },
  )
  const path = '/api/v1/user/'
  assert.equal((await ask(edge.url, { ...authorization(), ...here }, path)).left, '1')
  assert.equal((await ask(edge.url, { ...authorization(), ...there }, path)).left, '0')
  assert.equal((await ask(edge.url, { ...authorization(), ...here }, path)).status, 429)
  assert.equal((await ask(edge.url, here)).left, '1')
})

test('counts rejected requests per address: invalid credentials, unknown routes, pages', async () => {
  await using edge = await startEdge(
    (router) =>
      router.service(IdentityService, {
        authenticateApiKey: () => {
          throw unauthenticated('authentication_failed', 'no such key')
        },
      }),
    { ...proxied, REQUESTS_PER_MINUTE_MAX: '6' },
  )
  const bad = { ...here, authorization: 'Token x' }
  const answers = [
    await ask(edge.url, bad),
    await ask(edge.url, { ...here, ...authorization(-1000) }, '/api/v1/user/'),
    await ask(edge.url, here, '/api/v1/user/'),
    await ask(edge.url, here, '/api/v1/nothing/'),
    await ask(edge.url, here, '/figure/x'),
    await ask(edge.url, bad, '/api/v1/user/'),
  ]
  assert.deepEqual(
    answers.map(({ left }) => left),
    ['5', '4', '3', '2', '1', '0'],
  )
  assert.equal((await ask(edge.url, bad, '/api/v1/user/')).status, 429)
  const page = await ask(edge.url, here, '/figure/x')
  assert.equal(page.status, 429)
  assert.match(page.body, /Too many requests/)
})

test('does not count health checks and OPTIONS', async () => {
  await using edge = await startEdge(() => {}, { ...proxied, REQUESTS_PER_MINUTE_MAX: '1' })
  for (let n = 0; n < 5; n++) {
    assert.equal((await ask(edge.url, here, '/healthz')).status, 200)
    assert.equal((await ask(edge.url, here, '/readyz')).left, null)
    const url = `${edge.url}/api/v1/info/`
    const options = await fetch(url, { method: 'OPTIONS', headers: here })
    assert.equal(options.status, 204)
    assert.equal(options.headers.get('ratelimit-limit'), null)
  }
  assert.equal((await ask(edge.url, here)).left, '0')
})

test('allows two thousand quick requests of one client by default', async () => {
  await using edge = await startEdge(() => {})
  for (let n = 0; n < 100; n++) {
    const twenty = Array.from({ length: 20 }, () => ask(edge.url, {}))
    assert.deepEqual([...new Set(await statuses(twenty))], [200])
  }
})

test('two gateways share their counts with Redis', { skip: redisSkipReason() }, async () => {
  await using redis = await startRedisServer()
  const env = { ...proxied, REDIS_URL: redis.url, REQUESTS_PER_MINUTE_MAX: '1000' }
  await using one = await startEdge(() => {}, env)
  await using other = await startEdge(() => {}, env)
  for (let n = 0; n < 10; n++) await ask(one.url, here)
  // The gateways exchange their counts within a second.
  let left = 1000
  for (let asked = 0; left > 1000 - 10 - asked; asked++) {
    await sleep(100)
    left = Number((await ask(other.url, here)).left)
    assert.ok(asked < 100, `${left} left after ${asked} requests`)
  }
  await redis.stop()
  assert.ok(Number((await ask(other.url, here)).left) < left, 'the count was not shared')
})
