import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saturation, stretch, utilization, waitProbability } from './queues.js'

const isNear = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-4, `${actual} instead of ${expected}`)

test('one server: the time is 1 / (1 - utilization)', () => {
  isNear(stretch(1, 0.7), 1 / 0.3)
  isNear(waitProbability(1, 0.7), 0.7)
})

test('several servers: the sum over the states of the queue', () => {
  // C(c, a) as Kleinrock writes it, with factorials.
  for (const [servers, utilized] of [
    [2, 0.5],
    [8, 0.7],
    [40, 0.95],
  ] as const) {
    const offered = servers * utilized
    let term = 1
    let sum = 0
    for (let n = 0; n < servers; n++) {
      sum += term
      term *= offered / (n + 1)
    }
    const all = term / (1 - utilized)
    isNear(waitProbability(servers, utilized), all / (sum + all))
  }
})

test('a full queue grows without end', () => {
  assert.equal(stretch(4, 1), Number.POSITIVE_INFINITY)
})

test('the busiest station limits the others', () => {
  isNear(utilization(100, 5, 2), 0.25)
  isNear(
    saturation([
      { demandMs: 5, servers: 2 },
      { demandMs: 4, servers: 1 },
    ]),
    250,
  )
})
