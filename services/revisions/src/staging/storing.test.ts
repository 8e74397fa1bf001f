import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createStoring } from '../staging/storing.js'

/** A store that ends what it began when it is told to. */
function createStore() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const store = () =>
    new Promise<void>((resolve, reject) => {
      ends.push({ resolve, reject })
    })
  return { store, ends }
}

test('so many are stored at a time, and all of them in the end', async () => {
  const { store, ends } = createStore()
  const storing = createStoring()
  let added = 0
  const adding = (async () => {
    for (; added < 10; added++) await storing.add(store)
  })()
  await turn()
  assert.deepEqual([added, ends.length], [8, 8])
  for (let n = 0; n < 10; n++) {
    ends[n]?.resolve()
    await turn()
  }
  await adding
  await storing.all()
  assert.equal(ends.length, 10)
})

test('one that fails ends the upload, when the others are through', async () => {
  const { store, ends } = createStore()
  const storing = createStoring()
  await storing.add(store)
  await storing.add(store)
  ends[0]?.reject(new Error('no space left'))
  await turn()
  await assert.rejects(storing.add(store), /no space left/)
  let hasEnded = false
  const ended = storing.ended().then(() => {
    hasEnded = true
  })
  await turn()
  assert.equal(hasEnded, false)
  ends[1]?.resolve()
  await ended
  await assert.rejects(storing.all(), /no space left/)
})
