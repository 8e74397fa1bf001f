import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditedTaxes } from './credit.js'
import { amountsOf, type Change, type Prices, type Tax, type Used } from './lines.js'
import { monthOf, periodAfter } from './month.js'

/** A generator of numbers that is the same in each run (mulberry32). */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

type Fraction = { n: bigint; d: bigint }
const plus = (a: Fraction, b: Fraction) => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const times = (a: Fraction, by: bigint) => ({ n: a.n * by, d: a.d })
const over = (n: bigint, d: bigint): Fraction => ({ n, d })
const zero = over(0n, 1n)

/** The nearest integer; halves away from zero. Not the arithmetic of the code. */
function rounded({ n, d }: Fraction): bigint {
  const whole = n / d
  return (n % d) * 2n >= d ? whole + 1n : whole
}

/**
 * The subtotal of a month, the slow way: it walks through each day, cut at the changes, and adds up rational numbers. An
 * invoice rounds what belongs to one line.
 */
function naiveSubtotal(period: string, changes: Change[], used: Used, prices: Prices): bigint {
  const start = Date.parse(`${period}-01T00:00:00Z`) / 1000
  const end = Date.parse(`${periodAfter(period)}-01T00:00:00Z`) / 1000
  const length = BigInt(end - start)
  const monthNumber = Number(period.slice(5))
  const priceOf = (change: Change) => {
    if (change.paysBy === 'month') return change.monthlyMinor
    const yearUntil = (months: number) => rounded(over(change.annualMinor * BigInt(months), 12n))
    return yearUntil(monthNumber) - yearUntil(monthNumber - 1)
  }
  const moments = new Set([end])
  for (let day = start; day < end; day += 86_400) moments.add(day)
  for (const { at } of changes) if (at > start && at < end) moments.add(at)
  const sorted = [...moments].sort((a, b) => a - b)
  let seats = zero
  const planParts: { key: string; sum: Fraction }[] = []
  const plans = new Set<Change>()
  let wasPaid = false
  for (const [i, from] of sorted.entries()) {
    const to = sorted[i + 1]
    if (to === undefined) break
    const current = changes.filter(({ at }) => at <= from).at(-1)
    if (!current || current.planId === null) {
      wasPaid = false
      continue
    }
    plans.add(current)
    const price = priceOf(current)
    const key = `${current.planId} ${current.planName} ${price}`
    const share = over(price * BigInt(to - from), length)
    const last = planParts.at(-1)
    if (last && wasPaid && last.key === key) last.sum = plus(last.sum, share)
    else planParts.push({ key, sum: share })
    wasPaid = true
    const extra = Math.max(0, current.seats - prices.seatsIncluded)
    if (price > 0n) {
      seats = plus(seats, times(over(prices.seatMinor * BigInt(to - from), length), BigInt(extra)))
    }
  }
  const excess = (amount: bigint, limitOf: (change: Change) => bigint | null) => {
    let highest = -1n
    for (const plan of plans) {
      const limit = limitOf(plan)
      if (limit === null) return 0n
      if (limit > highest) highest = limit
    }
    return plans.size > 0 && amount > highest ? amount - highest : 0n
  }
  const compute = [...plans].some(({ computeOveragesEnabled }) => computeOveragesEnabled)
    ? excess(used.computeSeconds, (plan) => plan.monthlyComputeSeconds)
    : 0n
  const lines = [
    ...planParts.map(({ sum }) => sum),
    seats,
    over(
      excess(used.storedBytes, (plan) => plan.maxStorageBytes) * prices.gibMonthMinor,
      1n << 30n,
    ),
    over(compute * prices.computeHourMinor, 3600n),
    over(
      excess(used.tokens, (plan) => plan.monthlyTokenQuota) * prices.millionTokensMinor,
      1_000_000n,
    ),
  ]
  return lines.reduce((sum, line) => sum + rounded(line), 0n)
}

const periods = ['2024-02', '2025-02', '2026-01', '2026-04', '2026-11', '2026-12']

function randomMonth(random: (below: number) => number) {
  const period = periods[random(periods.length)] ?? ''
  const { from, to } = monthOf(period)
  const limit = (max: number) => (random(3) === 0 ? null : BigInt(random(max)))
  const plans = Array.from({ length: 3 }, (_, id) => ({
    planId: `plan ${id}`,
    planName: `Plan ${id}`,
    monthlyMinor: BigInt(random(4) === 0 ? 0 : random(100_000)),
    annualMinor: BigInt(random(1_000_000)),
    maxStorageBytes: limit(2 ** 31),
    monthlyComputeSeconds: limit(100_000),
    monthlyTokenQuota: limit(5_000_000),
  }))
  let at = from - random(10_000_000)
  const changes: Change[] = []
  for (let count = random(8); count >= 0; count--) {
    const plan = plans[random(plans.length)]
    if (!plan) throw new Error('no plan')
    changes.push({
      ...plan,
      at,
      planId: random(6) === 0 ? null : plan.planId,
      paysBy: random(2) === 0 ? 'month' : 'year',
      seats: random(30),
      computeOveragesEnabled: random(2) === 0,
    })
    at = Math.max(at + 1, from + random(to - from + 1))
  }
  changes.sort((a, b) => a.at - b.at)
  const used = {
    storedBytes: BigInt(random(2 ** 31)) * 3n,
    computeSeconds: BigInt(random(400_000)),
    tokens: BigInt(random(20_000_000)),
  }
  const prices: Prices = {
    seatsIncluded: random(4),
    seatMinor: BigInt(random(2000)),
    gibMonthMinor: BigInt(random(100)),
    computeHourMinor: BigInt(random(500)),
    millionTokensMinor: BigInt(random(1000)),
  }
  const taxes: Tax[] = Array.from({ length: random(3) }, (_, i) => ({
    name: `tax ${i}`,
    milliPercent: BigInt(random(30_000)),
  }))
  return { period, changes, used, prices, taxes }
}

test('2000 random months cost what a naive model in rational numbers says, to the cent', () => {
  const random = randomOf(20_261_126)
  let invoiced = 0
  for (let round = 0; round < 2000; round++) {
    const { period, changes, used, prices, taxes } = randomMonth(random)
    const amounts = amountsOf(monthOf(period), changes, used, prices, taxes)
    const subtotal = naiveSubtotal(period, changes, used, prices)
    const tax = taxes.reduce(
      (sum, { milliPercent }) => sum + rounded(over(subtotal * milliPercent, 100_000n)),
      0n,
    )
    assert.deepEqual(
      [amounts.subtotalMinor, amounts.taxMinor, amounts.totalMinor],
      [subtotal, tax, subtotal + tax],
      `round ${round}, ${period}`,
    )
    const sum = amounts.lines.reduce((total, { amountMinor }) => total + amountMinor, 0n)
    assert.equal(sum, amounts.totalMinor)
    if (subtotal > 0n) invoiced++
    checkCredits(random, amounts)
  }
  assert.ok(invoiced > 1500, `only ${invoiced} months cost something`)
})

/** Random credit notes take back the taxes to the cent, and never more than their share, rounded. */
function checkCredits(random: (below: number) => number, amounts: ReturnType<typeof amountsOf>) {
  const { subtotalMinor, lines } = amounts
  const taxes = lines.filter(({ kind }) => kind === 'tax')
  let credited = 0n
  const returned = taxes.map(() => 0n)
  while (credited < subtotalMinor) {
    const left = subtotalMinor - credited
    const wanted = BigInt(random(100_000)) + 1n
    const net = wanted < left ? wanted : left
    for (const [i, { amountMinor }] of creditedTaxes(
      { subtotalMinor, taxes },
      credited,
      net,
    ).entries()) {
      assert.ok(amountMinor >= 0n)
      returned[i] = (returned[i] ?? 0n) + amountMinor
      const share = rounded(over((taxes[i]?.amountMinor ?? 0n) * (credited + net), subtotalMinor))
      assert.equal(returned[i], share)
    }
    credited += net
  }
  if (subtotalMinor > 0n)
    assert.deepEqual(
      returned,
      taxes.map(({ amountMinor }) => amountMinor),
    )
}

test('the twelve months of a year cost exactly the price of a year', () => {
  const plan: Change = {
    at: 0,
    planId: 'a plan',
    planName: 'A plan',
    monthlyMinor: 1n,
    annualMinor: 9995n,
    paysBy: 'year',
    seats: 1,
    maxStorageBytes: null,
    monthlyComputeSeconds: null,
    monthlyTokenQuota: null,
    computeOveragesEnabled: false,
  }
  const used = { storedBytes: 0n, computeSeconds: 0n, tokens: 0n }
  const prices: Prices = {
    seatsIncluded: 1,
    ...{ seatMinor: 0n, gibMonthMinor: 0n, computeHourMinor: 0n, millionTokensMinor: 0n },
  }
  let total = 0n
  for (let period = '2026-01'; period < '2027'; period = periodAfter(period)) {
    total += amountsOf(monthOf(period), [plan], used, prices, []).totalMinor
  }
  assert.equal(total, 9995n)
})
