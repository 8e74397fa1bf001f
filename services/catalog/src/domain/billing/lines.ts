import { decimalOf, roundHalfUp } from './amounts.js'

export type PaysBy = 'month' | 'year'

/** What a holder has from a time on, until the next change. A null limit does not limit. */
export type Change = {
  /** Whole seconds since 1970. */
  at: number
  /** Null: nothing is paid. */
  planId: string | null
  planName: string
  monthlyMinor: bigint
  annualMinor: bigint
  paysBy: PaysBy
  seats: number
  maxStorageBytes: bigint | null
  monthlyComputeSeconds: bigint | null
  monthlyTokenQuota: bigint | null
  computeOveragesEnabled: boolean
}

/** A calendar month, in seconds since 1970; `month` is 0 for January. */
export type Month = { from: number; to: number; month: number }

/** What a holder used in a month. */
export type Used = { storedBytes: bigint; computeSeconds: bigint; tokens: bigint }

/** In minor units. */
export type Prices = {
  seatsIncluded: number
  /** Of each further seat, per month. */
  seatMinor: bigint
  /** Of what exceeds the limits of the plan. */
  gibMonthMinor: bigint
  computeHourMinor: bigint
  millionTokensMinor: bigint
}

export type Tax = { name: string; milliPercent: bigint }

export type LineKind = 'plan' | 'seats' | 'storage' | 'compute' | 'ai' | 'tax'

export type Line = {
  kind: LineKind
  name: string
  quantity: string
  unitMinor: bigint
  amountMinor: bigint
  /** Of a plan, in seconds since 1970. */
  from?: number
  to?: number
}

export type Amounts = { lines: Line[]; subtotalMinor: bigint; taxMinor: bigint; totalMinor: bigint }

/**
 * What a month costs. Each line is rounded by itself, half up; taxes are calculated of the sum of the lines. Lines of zero
 * are omitted. `changes` are in the order of their times, and the last one before the month is among them.
 */
export function amountsOf(
  month: Month,
  changes: Change[],
  used: Used,
  prices: Prices,
  taxes: Tax[],
): Amounts {
  const parts = partsOf(month, changes)
  const net = [
    ...planLines(month, parts),
    seatLine(month, parts, prices),
    ...overageLines(parts, used, prices),
  ].filter(({ amountMinor }) => amountMinor > 0n)
  const subtotalMinor = sum(net)
  const taxLines = taxes
    .map((tax) => taxLine(tax, subtotalMinor))
    .filter(({ amountMinor }) => amountMinor > 0n)
  const taxMinor = sum(taxLines)
  const lines = [...net, ...taxLines]
  return { lines, subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor }
}

const sum = (lines: Line[]) => lines.reduce((total, { amountMinor }) => total + amountMinor, 0n)

/** A part of the month without a change, with the price of the plan for the whole month. */
type Part = Change & { from: number; to: number; priceMinor: bigint }

function partsOf(month: Month, changes: Change[]): Part[] {
  return changes.flatMap((change, position) => {
    const from = Math.max(change.at, month.from)
    const to = Math.min(changes[position + 1]?.at ?? month.to, month.to)
    if (from >= to || change.planId === null) return []
    return [{ ...change, from, to, priceMinor: priceOf(change, month.month) }]
  })
}

/** Of a whole month. The twelve months of a year have exactly the price of a year. */
function priceOf({ paysBy, monthlyMinor, annualMinor }: Change, month: number) {
  if (paysBy === 'month') return monthlyMinor
  const until = (months: number) => roundHalfUp(annualMinor * BigInt(months), 12n)
  return until(month + 1) - until(month)
}

const secondsOf = ({ from, to }: { from: number; to: number }) => BigInt(to - from)

/** One line for each time without a change of the plan or its price. */
function planLines(month: Month, parts: Part[]): Line[] {
  const merged: Part[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last && last.to === part.from && isSamePlan(last, part)) last.to = part.to
    else merged.push({ ...part })
  }
  return merged.map((part) => ({
    kind: 'plan',
    name: part.planName,
    quantity: decimalOf(secondsOf(part), secondsOf(month)),
    unitMinor: part.priceMinor,
    amountMinor: roundHalfUp(part.priceMinor * secondsOf(part), secondsOf(month)),
    from: part.from,
    to: part.to,
  }))
}

const isSamePlan = (one: Part, other: Part) =>
  one.planId === other.planId &&
  one.planName === other.planName &&
  one.priceMinor === other.priceMinor

/** The seats beyond those that are included, by their time, in plans that cost something. */
function seatLine(month: Month, parts: Part[], { seatMinor, seatsIncluded }: Prices): Line {
  const seatSeconds = parts
    .filter(({ priceMinor }) => priceMinor > 0n)
    .reduce(
      (total, part) => total + BigInt(Math.max(0, part.seats - seatsIncluded)) * secondsOf(part),
      0n,
    )
  return {
    kind: 'seats',
    name: '',
    quantity: decimalOf(seatSeconds, secondsOf(month)),
    unitMinor: seatMinor,
    amountMinor: roundHalfUp(seatMinor * seatSeconds, secondsOf(month)),
  }
}

const gib = 1n << 30n
const hour = 3600n
const million = 1_000_000n

/** What exceeds the limits of the plan; of several plans, the highest limit of the month. */
function overageLines(parts: Part[], used: Used, prices: Prices): Line[] {
  const line = (kind: LineKind, over: bigint, unit: bigint, unitMinor: bigint): Line => ({
    kind,
    name: '',
    quantity: decimalOf(over, unit),
    unitMinor,
    amountMinor: roundHalfUp(unitMinor * over, unit),
  })
  const over = (amount: bigint, limitOf: (part: Part) => bigint | null) => {
    const limits = parts.map(limitOf)
    if (limits.length === 0 || limits.includes(null)) return 0n
    const highest = limits.reduce<bigint>((max, one) => (one && one > max ? one : max), 0n)
    return amount > highest ? amount - highest : 0n
  }
  const hasOverages = parts.some(({ computeOveragesEnabled }) => computeOveragesEnabled)
  const computeSeconds = hasOverages
    ? over(used.computeSeconds, (part) => part.monthlyComputeSeconds)
    : 0n
  return [
    line(
      'storage',
      over(used.storedBytes, (part) => part.maxStorageBytes),
      gib,
      prices.gibMonthMinor,
    ),
    line('compute', computeSeconds, hour, prices.computeHourMinor),
    line(
      'ai',
      over(used.tokens, (part) => part.monthlyTokenQuota),
      million,
      prices.millionTokensMinor,
    ),
  ]
}

const taxLine = ({ name, milliPercent }: Tax, subtotalMinor: bigint): Line => ({
  kind: 'tax',
  name,
  quantity: decimalOf(milliPercent, 1000n),
  unitMinor: subtotalMinor,
  amountMinor: roundHalfUp(subtotalMinor * milliPercent, 100_000n),
})
