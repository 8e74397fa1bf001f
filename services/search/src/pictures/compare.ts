import { agreement, halved, type Placement, pointsOf, refine, unmoved } from './align.js'
import type { PictureDescriptor } from './describe.js'
import type { EdgeMap } from './edges.js'
import { decodeLocal, type Local, type Part, type Region } from './local.js'
import { scoreOf } from './score.js'

/** Pictures with at least this score count as the same. */
export const sameFrom = 0.6

const pointsMax = 200
/** A placement with less agreement is not worth improving. */
const refineFrom = 0.3
const steps: Placement = { sx: 0.04, sy: 0.04, x: 0.03, y: 0.03, turn: 0.02 }
const fineSteps: Placement = { sx: 0.006, sy: 0.006, x: 0.004, y: 0.004, turn: 0.005 }
/** Two parts are not stretched against each other by more than this. */
const stretchMax = 1.35

/** How similar two pictures are: 0 to 1 (the same). Throws if the descriptors have different versions. */
export function compare(a: PictureDescriptor, b: PictureDescriptor): number {
  if (a.version !== b.version) throw new Error('picture descriptors of different versions')
  if (a.local.equals(b.local)) return 1
  return compareLocal(decodeLocal(a.local), decodeLocal(b.local))
}

export function compareLocal(a: Local, b: Local): number {
  let best = { score: 0, agreement: 0 }
  for (const [i, ours] of a.parts.entries()) {
    for (const [k, theirs] of b.parts.entries()) {
      const starts = startsOf(a, ours, i === 0, b, theirs, k === 0)
      const next = compareParts(ours, theirs, starts)
      if (next.score > best.score) best = next
    }
  }
  return best.score
}

/** The placements from which the search starts: the same part, or one is a crop of the other. */
function startsOf(a: Local, ours: Part, isA: boolean, b: Local, theirs: Part, isB: boolean) {
  const starts: Placement[] = [unmoved]
  if (isB) starts.push(into(b.centre))
  if (isA) starts.push(outOf(a.centre))
  return starts.filter(({ sx, sy }) => {
    const stretch = (ours.aspect * sy) / (theirs.aspect * sx)
    return stretch < stretchMax && stretch > 1 / stretchMax
  })
}

const into = ({ x, y, width, height }: Region): Placement => ({
  sx: width,
  sy: height,
  x: x + width / 2 - 0.5,
  y: y + height / 2 - 0.5,
  turn: 0,
})

const outOf = ({ x, y, width, height }: Region): Placement => ({
  sx: 1 / width,
  sy: 1 / height,
  x: (0.5 - x - width / 2) / width,
  y: (0.5 - y - height / 2) / height,
  turn: 0,
})

function compareParts(a: Part, b: Part, starts: Placement[]) {
  const none = { score: 0, agreement: 0 }
  if (starts.length === 0) return none
  const coarse = measureOf(halved(a.map), a.aspect, halved(b.map))
  const [start] = starts
    .map((placement) => ({ placement, score: coarse(placement) }))
    .sort((p, q) => q.score - p.score)
  if (!start || start.score < refineFrom) return none
  const rough = refine(coarse, start.placement, steps, 2)
  const fine = measureOf(a.map, a.aspect, b.map)
  const { placement, score } = refine(fine, rough.placement, fineSteps, 1)
  return { score: scoreOf(a, b, placement), agreement: score }
}

function measureOf(a: EdgeMap, aspect: number, b: EdgeMap) {
  const points = pointsOf(a, pointsMax)
  return (placement: Placement) => agreement(points, aspect, b, placement)
}
