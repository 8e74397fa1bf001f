import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createStoreQueue } from '../staging/store-queue.js'

/** A store that ends its writes when the test says so. */
function createStore() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const store = () =>
    new Promise<void>((resolve, reject) => {
      ends.push({ resolve, reject })
    })
  return { store, ends }
}

test('stores a limited number of objects concurrently, and all in the end', async () => {
  const { store, ends } = createStore()
  const queue = createStoreQueue()
  let added = 0
  const adding = (async () => {
    for (; added < 10; added++) await queue.add(store)
  })()
  await turn()
  assert.deepEqual([added, ends.length], [8, 8])
  for (let n = 0; n < 10; n++) {
    ends[n]?.resolve()
    await turn()
  }
  await adding
  await queue.drained()
  assert.equal(ends.length, 10)
})

test('the first failure ends the upload after the running writes', async () => {
  const { store, ends } = createStore()
  const queue = createStoreQueue()
  await queue.add(store)
  await queue.add(store)
  ends[0]?.reject(new Error('no space left'))
  await turn()
  await assert.rejects(queue.add(store), /no space left/)
  let hasEnded = false
  const ended = queue.settled().then(() => {
    hasEnded = true
  })
  await turn()
  assert.equal(hasEnded, false)
  ends[1]?.resolve()
  await ended
  await assert.rejects(queue.drained(), /no space left/)
})
