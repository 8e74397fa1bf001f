import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEdge } from './start-edge.js'

test('is ready without one service, and not ready without all', async () => {
  const unavailable = new Set<string>()
  const isThere = (name: string) => async () => {
    if (name === 'comments' && unavailable.has(name)) throw new Error('no connection')
    return !unavailable.has(name)
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
  unavailable.add('comments')
  assert.deepEqual(await soon(ready), {
    code: 200,
    status: 'ready',
    not_ready: [],
    degraded: [missing('comments')],
  })
  unavailable.add('catalog')
  assert.deepEqual(await soon(ready), {
    code: 503,
    status: 'not ready',
    not_ready: [missing('services')],
    degraded: [missing('catalog'), missing('comments')],
  })
})

/** Check results are cached for a second. */
async function soon<T>(ask: () => Promise<T>): Promise<T> {
  await sleep(1100)
  return ask()
}
