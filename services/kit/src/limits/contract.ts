import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limiter, LimitOptions } from './port.js'

/** What every limiter must do; `open` returns a fresh one. */
export function limiterContract(
  name: string,
  open: (options: LimitOptions) => Promise<Limiter>,
  skip: string | false = false,
): void {
  const three = { name: 'three', pointsMax: 3, windowMs: 60_000 }

  test(`${name}: allows up to the limit, per key`, {
    skip,
  }, async () => {
    const limiter = await open(three)
    const remaining: number[] = []
    for (let n = 0; n < 3; n++) {
      assert.equal((await limiter.peek('ann')).isExceeded, false)
      const allowance = await limiter.count('ann')
      assert.equal(allowance.isExceeded, false)
      assert.equal(allowance.limit, 3)
      remaining.push(allowance.remaining)
    }
    assert.deepEqual(remaining, [2, 1, 0])
    assert.equal((await limiter.peek('ann')).isExceeded, true)
    const fourth = await limiter.count('ann')
    assert.deepEqual([fourth.isExceeded, fourth.remaining], [true, 0])
    const other = await limiter.peek('bob')
    assert.deepEqual([other.isExceeded, other.remaining], [false, 3])
  })

  test(`${name}: peek neither counts nor starts a window`, { skip }, async () => {
    const limiter = await open(three)
    for (let n = 0; n < 5; n++) {
      const untouched = { isExceeded: false, limit: 3, remaining: 3, resetMs: 0 }
      assert.deepEqual(await limiter.peek('ann'), untouched)
    }
  })

  test(`${name}: counts several points at once`, { skip }, async () => {
    const limiter = await open(three)
    assert.equal((await limiter.count('ann', 2)).remaining, 1)
    assert.equal((await limiter.count('ann', 2)).isExceeded, true)
    assert.equal((await limiter.count('bob', 4)).isExceeded, true)
  })

  test(`${name}: reset starts over`, { skip }, async () => {
    const limiter = await open(three)
    await limiter.count('ann', 4)
    await limiter.count('bob', 4)
    await limiter.reset('ann')
    await limiter.reset('nobody')
    assert.equal((await limiter.peek('ann')).remaining, 3)
    assert.equal((await limiter.peek('bob')).isExceeded, true)
  })

  test(`${name}: never limits the empty key`, { skip }, async () => {
    const limiter = await open(three)
    for (let n = 0; n < 5; n++) assert.equal((await limiter.count('')).isExceeded, false)
    assert.equal((await limiter.peek('')).remaining, 3)
  })

  test(`${name}: counts concurrent calls`, { skip }, async () => {
    const limiter = await open({ ...three, pointsMax: 100 })
    const all = await Promise.all(Array.from({ length: 150 }, () => limiter.count('ann')))
    assert.equal(all.filter(({ isExceeded }) => isExceeded).length, 50)
  })

  test(`${name}: ends a window at the announced time, whatever was counted in it`, {
    skip,
  }, async () => {
    const limiter = await open({ ...three, windowMs: 1000 })
    const first = await limiter.count('ann')
    assert.ok(first.resetMs > 0 && first.resetMs <= 1000, `${first.resetMs} ms`)
    const last = await limiter.count('ann', 9)
    assert.ok(last.resetMs <= first.resetMs, 'counting extended the window')
    await sleep(last.resetMs + 5)
    assert.equal((await limiter.peek('ann')).remaining, 3)
    assert.equal((await limiter.count('ann')).remaining, 2)
  })

  test(`${name}: rejects a window of fractional seconds and a limit of zero`, {
    skip,
  }, async () => {
    await assert.rejects(open({ ...three, windowMs: 0 }), RangeError)
    await assert.rejects(open({ ...three, windowMs: 1500 }), RangeError)
    await assert.rejects(open({ ...three, pointsMax: 0 }), RangeError)
  })
}
