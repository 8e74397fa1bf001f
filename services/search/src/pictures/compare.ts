import { agreement, halved, pointsOf, refine } from './align.js'
import type { PictureDescriptor } from './describe.js'
import type { EdgeMap } from './edges.js'
import { decodeLocal, full, type Local, type Part, type Region } from './local.js'
import { inverse, type Placement, placementOf } from './placement.js'
import { scoreOf } from './score.js'

/** Pictures with at least this score count as the same. */
export const sameFrom = 0.6

const pointsMax = 200
/** Placements with less agreement are not worth improving, or scoring. */
const refineFrom = 0.3
const scoreFrom = 0.4
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
  let best = 0
  for (const [i, ours] of a.parts.entries()) {
    for (const [k, theirs] of b.parts.entries()) {
      const starts = [...regionPairs(a, i === 0, b, k === 0), [ours.whole, theirs.whole] as const]
        .map(([from, to]) => placementOf(from, to))
        .filter((start) => !isStretched(ours, theirs, start))
      best = Math.max(best, compareParts(ours, theirs, starts))
    }
  }
  return best
}

/** The regions of two parts that may be the same. The content of a picture may be the centre of another. */
function regionPairs(a: Local, isContentA: boolean, b: Local, isContentB: boolean) {
  const pairs: [Region, Region][] = [[full, full]]
  if (isContentB) pairs.push([full, b.centre])
  if (isContentA) pairs.push([a.centre, full])
  return pairs
}

function isStretched(a: Part, b: Part, { sx, sy }: Placement) {
  const stretch = (a.aspect * sy) / (b.aspect * sx)
  return stretch > stretchMax || stretch < 1 / stretchMax
}

function compareParts(a: Part, b: Part, starts: Placement[]): number {
  if (starts.length === 0) return 0
  const coarse = measureOf(halved(a.map), a.aspect, halved(b.map))
  const [start] = starts
    .map((placement) => ({ placement, score: coarse(placement) }))
    .sort((p, q) => q.score - p.score)
  if (!start || start.score < refineFrom) return 0
  const rough = refine(coarse, start.placement, steps, 2)
  if (rough.score < scoreFrom) return 0
  const fine = measureOf(a.map, a.aspect, b.map)
  const { placement } = refine(fine, rough.placement, fineSteps, 1)
  // The finer map is sampled at the cells of the coarser one.
  return placement.sx * placement.sy < 1
    ? scoreOf(b, a, inverse(placement))
    : scoreOf(a, b, placement)
}

function measureOf(a: EdgeMap, aspect: number, b: EdgeMap) {
  const points = pointsOf(a, pointsMax)
  return (placement: Placement) => agreement(points, aspect, b, placement)
}
