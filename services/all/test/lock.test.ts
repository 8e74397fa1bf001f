import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockDataDir } from '../src/data-dir-lock.js'
import { Failure } from '../src/failure.js'

test('exactly one of many concurrent callers acquires the lock, which can be reacquired', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-lock-'))
  for (let round = 0; round < 3; round++) {
    const wanted = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dir)))
    const got = wanted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const reasons = wanted.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.equal(got.length, 1)
    assert.ok(reasons.every((reason) => reason instanceof Failure))
    await got[0]?.[Symbol.asyncDispose]()
    assert.deepEqual(await readdir(dir), [])
  }
  await rm(dir, { recursive: true })
})

test('modules still resolve by their real path after locking', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-lock-'))
  const lock = await lockDataDir(dir)
  const found = createRequire(import.meta.url).resolve('pg')
  await lock[Symbol.asyncDispose]()
  await rm(dir, { recursive: true })
  assert.match(found, /\.pnpm/)
})
