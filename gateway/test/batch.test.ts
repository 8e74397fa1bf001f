import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { IdentityService } from '@figbase/proto/identity'
import { authorization, startEdge } from './start-edge.js'

type Reply = { status: number; body: { error?: string; username?: string } }

async function read(url: string, paths: string[], headers = authorization()): Promise<Reply[]> {
  const response = await fetch(`${url}/api/v1/batch/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ requests: paths.map((path) => ({ path })) }),
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { responses: Reply[] }).responses
}

/** Users whose first names are long, or whose responses are late. */
const startUsers = (env: Record<string, string>, calls: string[] = []) =>
  startEdge(
    (router) =>
      router.service(IdentityService, {
        async getUser({ username }, call) {
          calls.push(username)
          if (username.startsWith('slow')) await sleep(10_000, undefined, { signal: call.signal })
          const firstName = 'x'.repeat(Number(username.replace(/\D/g, '') || 0))
          return { user: { username, firstName } }
        },
      }),
    env,
  )

test('all responses of a batch together are bounded', async () => {
  await using edge = await startUsers({ BATCH_ANSWER_BYTES_MAX: '10000B' })
  const paths = ['user/u100/', 'user/u20000/', 'user/u200/']
  const replies = await read(edge.url, paths)
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 413, 200],
  )
  assert.deepEqual(
    replies.map(({ body }) => body.username ?? body.error),
    ['u100', 'too_large', 'u200'],
  )
  const many = await read(edge.url, Array(20).fill('user/u2000/'))
  const fitting = many.filter(({ status }) => status === 200).length
  assert.ok(fitting >= 2 && fitting <= 4, `${fitting} responses`)
})

test('a batch ends at its timeout, with what was read until then', async () => {
  const calls: string[] = []
  await using edge = await startUsers({ BATCH_TIMEOUT: '300ms' }, calls)
  const slow = Array.from({ length: 4 }, (_, n) => `user/slow${n}/`)
  const started = performance.now()
  const replies = await read(edge.url, ['user/u1/', ...slow, 'user/u2/'])
  assert.ok(performance.now() - started < 5000)
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 504, 504, 504, 504, 504],
  )
  assert.ok(!calls.includes('u2'), 'not begun after the timeout')
})

test('each request of a batch counts, and those above the limit get 429', async () => {
  await using edge = await startUsers({ REQUESTS_PER_MINUTE_MAX: '4' })
  const replies = await read(edge.url, Array(5).fill('user/u1/'))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  )
})
