import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { errorKeys, isCorrectable, isOneErrorApart } from './typing-errors.js'

/** Distance of optimal string alignment, by its definition. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let j = 0; j <= b.length; j++) rows[0]?.splice(j, 1, j)
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1]
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + Number(!isEqual))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) best = Math.min(best, at(i - 2, j - 2) + 1)
      rows[i]?.splice(j, 1, best)
    }
  }
  return at(a.length, b.length)
}

test('words one error apart are recognized, and have a key in common', () => {
  const random = seededRandom(3)
  const word = () =>
    Array.from(
      { length: 3 + Math.floor(random() * 4) },
      () => 'abc'[Math.floor(random() * 3)],
    ).join('')
  let apart = 0
  for (let times = 0; times < 20_000; times++) {
    const [a, b] = [word(), word()]
    const isNear = distance(a, b) <= 1
    assert.equal(isOneErrorApart(a, b), isNear, `${a} ${b}`)
    if (!isNear) continue
    apart++
    const keys = new Set(errorKeys(a))
    assert.ok(
      errorKeys(b).some((key) => keys.has(key)),
      `${a} ${b}`,
    )
  }
  assert.ok(apart > 500)
})

test('keys are stored, so they do not change', () => {
  assert.deepEqual(errorKeys('ab'), [1294271946, -418632219, -468965076])
  for (const key of errorKeys('expression')) assert.equal(key, key | 0)
})

test('corrects words of five letters or more, without digits', () => {
  for (const word of ['heart', 'ελληνικα', 'expression']) assert.ok(isCorrectable(word), word)
  for (const word of ['hear', 'h3k27me3', 'il-6x', 'a'.repeat(25)]) {
    assert.ok(!isCorrectable(word), word)
  }
})
