import { agreement, halved, type Points, pointsOf, refine } from './align.js'
import type { PictureDescriptor } from './describe.js'
import type { EdgeMap } from './edges.js'
import { decodeLocal, full, type Part, type Region } from './local.js'
import { inverse, type Placement, placementOf } from './placement.js'
import { scoreOf } from './score.js'

/**
 * Pictures with at least this score count as the same. A lower score may be that of a strongly distorted copy, or of the
 * same data drawn in another way.
 */
export const sameFrom = 0.85

/** How many cells with edges are compared to find the placement. */
const pointsMax = { rough: 120, fine: 200 }
/** Placements with less agreement are not improved further. Nearly all pictures that are the same have more. */
const refineFrom = 0.3
const scoreFrom = { rough: 0.57, fine: 0.55 }
/** The score of pictures that are not scored, as a part of their agreement. */
const unscored = 0.1
const steps: Placement = { sx: 0.04, sy: 0.04, x: 0.03, y: 0.03, turn: 0.02 }
const fineSteps: Placement = { sx: 0.006, sy: 0.006, x: 0.004, y: 0.004, turn: 0.005 }
/** Two parts are not stretched against each other by more than this. */
const stretchMax = 1.35

/** How similar two pictures are: 0 to 1 (the same). Throws if the descriptors have different versions. */
export const compare = (a: PictureDescriptor, b: PictureDescriptor): number => comparer(a)(b)

/** Compares one picture with many, which takes half of the time. */
export function comparer(a: PictureDescriptor): (b: PictureDescriptor) => number {
  const ours = prepareQuery(a)
  return (b) => {
    if (a.version !== b.version) throw new Error('picture descriptors of different versions')
    return a.local.equals(b.local) ? 1 : comparePrepared(ours, prepare(b))
  }
}

type Prepared<P extends HalvedPart> = { centre: Region; parts: P[] }
type HalvedPart = Part & { half: EdgeMap }
/** A part with the cells by which others are compared with it. */
type QueryPart = HalvedPart & { points: Points; halfPoints: Points }

function prepare({ local }: PictureDescriptor): Prepared<HalvedPart> {
  const { centre, parts } = decodeLocal(local)
  return { centre, parts: parts.map((part) => ({ ...part, half: halved(part.map) })) }
}

function prepareQuery(picture: PictureDescriptor): Prepared<QueryPart> {
  const { centre, parts } = prepare(picture)
  return {
    centre,
    parts: parts.map((part) => ({
      ...part,
      points: pointsOf(part.map, pointsMax.fine),
      halfPoints: pointsOf(part.half, pointsMax.rough),
    })),
  }
}

function comparePrepared(a: Prepared<QueryPart>, b: Prepared<HalvedPart>): number {
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
function regionPairs(
  a: { centre: Region },
  isContentA: boolean,
  b: { centre: Region },
  isContentB: boolean,
) {
  const pairs: [Region, Region][] = [[full, full]]
  if (isContentB) pairs.push([full, b.centre])
  if (isContentA) pairs.push([a.centre, full])
  return pairs
}

function isStretched(a: Part, b: Part, { sx, sy }: Placement) {
  const stretch = (a.aspect * sy) / (b.aspect * sx)
  return stretch > stretchMax || stretch < 1 / stretchMax
}

function compareParts(a: QueryPart, b: HalvedPart, starts: Placement[]): number {
  const rough = (placement: Placement) => agreement(a.halfPoints, a.aspect, b.half, placement)
  const [start] = starts
    .map((placement) => ({ placement, score: rough(placement) }))
    .sort((p, q) => q.score - p.score)
  if (!start || start.score < refineFrom) return 0
  const near = refine(rough, start.placement, steps, 2)
  if (near.score < scoreFrom.rough) return unscored * near.score
  const fine = (placement: Placement) => agreement(a.points, a.aspect, b.map, placement)
  const { placement, score } = refine(fine, near.placement, fineSteps, 1)
  if (score < scoreFrom.fine) return unscored * score
  // The finer map is sampled at the cells of the coarser one.
  return placement.sx * placement.sy < 1
    ? scoreOf(b, a, inverse(placement))
    : scoreOf(a, b, placement)
}
