import type { Part } from './local.js'
import { inverse, type Placement } from './placement.js'
import { type Agreement, commonRegions, missingRegions, regions } from './regions.js'

/** The part of the regions, those that agree least, that decides. */
const tailPart = 0.15
/** The regions that a mark in a corner covers at most: those of a code or logo, and those of a line of text. */
const marks = [
  { rows: 2, columns: 2 },
  { rows: 1, columns: 3 },
]

/** The part of the mean agreement in the score: it orders pictures that hardly agree anywhere. */
const meanPart = 0.1
/** How much it counts that a part of the regions is missing. */
const missingPower = 4

/**
 * How much of the edges of two parts agree, if a lies on b as given: 0 to 1. It is the agreement of the regions that
 * agree least, because pictures of different data agree in some regions, and distortions change all regions alike. The
 * regions of one corner do not count, so that it may be marked. What only one of two complete pictures shows reduces it.
 */
export function scoreOf(a: Part, b: Part, placement: Placement): number {
  const common = commonRegions(a, b, placement)
  const missing = missingRegions(a, b, placement) + missingRegions(b, a, inverse(placement))
  const total = weightOf(common)
  const known = total / (total + missing + 1e-6)
  const worst = Math.max(...cornersLeftOut(common).map(leastOf))
  const mean = sumOf(common, ({ agreement, weight }) => agreement * weight) / (total + 1e-6)
  return (1 - meanPart) * worst * known ** missingPower + meanPart * mean * known
}

const weightOf = (all: Agreement[]) => sumOf(all, ({ weight }) => weight)

const sumOf = (all: Agreement[], value: (each: Agreement) => number) =>
  all.reduce((sum, each) => sum + value(each), 0)

/** All regions, and all but those of a mark in each corner. */
function cornersLeftOut(all: Agreement[]): Agreement[][] {
  const isNear = (index: number, count: number, atEnd: boolean) =>
    (atEnd ? regions - 1 - index : index) < count
  const corners = marks.flatMap(({ rows, columns }) =>
    [0, 1, 2, 3].map((corner) =>
      all.filter(
        ({ row, column }) =>
          !(isNear(row, rows, corner > 1) && isNear(column, columns, corner % 2 === 1)),
      ),
    ),
  )
  return [all, ...corners]
}

/** The mean agreement of the regions that agree least. */
function leastOf(all: Agreement[]): number {
  const tail = tailPart * weightOf(all)
  let sum = 0
  let rest = tail
  for (const { agreement, weight } of [...all].sort((p, q) => p.agreement - q.agreement)) {
    sum += Math.min(rest, weight) * agreement
    rest -= weight
    if (rest <= 0) break
  }
  return tail === 0 ? 0 : sum / tail
}
