import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesced } from './coalesced.js'

test('runs once more after calls during a run, at any moment', async () => {
  for (let moment = 1; moment < 10; moment++) {
    let begun = 0
    const run = coalesced(async () => {
      begun++
      await Promise.resolve()
    })
    const first = run()
    for (let i = 0; i < moment; i++) await Promise.resolve()
    const asked = begun
    await Promise.all([run(), first])
    assert.equal(begun, asked + 1, `after ${moment} turns`)
  }
})

test('runs again after a failure', async () => {
  let begun = 0
  const run = coalesced(async () => {
    if (++begun === 1) throw new Error('once')
  })
  await assert.rejects(run())
  await run()
  assert.equal(begun, 2)
})
