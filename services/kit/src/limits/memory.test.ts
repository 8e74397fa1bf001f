import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limiterContract } from './contract.js'
import { BoundedMemory, createMemoryLimiter } from './memory.js'

limiterContract('memory', async (options) => createMemoryLimiter(options))

test('memory: keeps a bounded number of the most recently counted keys', async () => {
  const options = { name: 'bounded', pointsMax: 1, windowMs: 60_000 }
  const store = new BoundedMemory(options, 1000)
  for (let n = 0; n < 100_000; n++) {
    await store.penalty(String(n))
    if (n % 500 === 0) await store.penalty('often')
  }
  const { storage } = store.dump()
  assert.equal(storage.length, 1000)
  assert.equal((await store.get('often'))?.consumedPoints, 200)
  assert.equal((await store.get('99999'))?.consumedPoints, 1)
  assert.equal(await store.get('98000'), null)
})
