import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEdge } from './edge.js'

test('a gateway without one service is ready and says so, and without all is not', async () => {
  const away = new Set<string>()
  const isThere = (name: string) => async () => {
    if (name === 'comments' && away.has(name)) throw new Error('no connection')
    return !away.has(name)
  }
  const checks = new Map(['catalog', 'comments'].map((name) => [name, isThere(name)]))
  await using edge = await startEdge(() => {}, {}, undefined, checks)
  const ready = async () => {
    const response = await fetch(`${edge.url}/readyz`)
    return { code: response.status, ...((await response.json()) as object) }
  }
  assert.equal((await fetch(`${edge.url}/healthz`)).status, 200)
  const missing = (name: string) => ({ name, why: 'does not answer' })
  assert.deepEqual(await ready(), { code: 200, status: 'ready', not_ready: [], degraded: [] })
  away.add('comments')
  assert.deepEqual(await soon(ready), {
    code: 200,
    status: 'ready',
    not_ready: [],
    degraded: [missing('comments')],
  })
  away.add('catalog')
  assert.deepEqual(await soon(ready), {
    code: 503,
    status: 'not ready',
    not_ready: [missing('services')],
    degraded: [missing('catalog'), missing('comments')],
  })
})

/** Answers are kept for a second. */
async function soon<T>(ask: () => Promise<T>): Promise<T> {
  await sleep(1100)
  return ask()
}
