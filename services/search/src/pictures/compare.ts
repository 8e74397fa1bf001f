import { pointsOf, refine } from './align.js'
import type { LocalDescriptor } from './describe.js'
import { agreementWith, type Points } from './edge-program.js'
import type { EdgeMap } from './edges.js'
import {
  decodeEdges,
  decodeHalved,
  decodeLocal,
  type EncodedPart,
  full,
  type Local,
  type Part,
  type PartHead,
  type Region,
} from './local.js'
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
export const compare = (a: LocalDescriptor, b: LocalDescriptor): number => comparer(a)(b)

/** Compares one picture with many, which takes half of the time. */
export function comparer(a: LocalDescriptor): (b: LocalDescriptor) => number {
  const ours = prepareQuery(a.local)
  return (b) => {
    if (a.version !== b.version) throw new Error('picture descriptors of different versions')
    return a.local.equals(b.local) ? 1 : comparePrepared(ours, decodeLocal(b.local))
  }
}

type Query = { centre: Region; parts: QueryPart[] }
/** A part with the cells by which others are compared with it. */
type QueryPart = Part & { points: Points; halfPoints: Points }

function prepareQuery(local: Buffer): Query {
  const { centre, parts } = decodeLocal(local)
  return {
    centre,
    parts: parts.map(({ edges, ...head }) => {
      const map = decodeEdges(edges)
      return {
        ...{ ...head, map },
        points: pointsOf(map, pointsMax.fine),
        halfPoints: pointsOf(decodeHalved(edges), pointsMax.rough),
      }
    }),
  }
}

function comparePrepared(a: Query, b: Local<EncodedPart>): number {
  let best = 0
  for (const [k, theirs] of b.parts.entries()) {
    const half = decodeHalved(theirs.edges)
    for (const [i, ours] of a.parts.entries()) {
      const starts = [...regionPairs(a, i === 0, b, k === 0), [ours.whole, theirs.whole] as const]
        .map(([from, to]) => placementOf(from, to))
        .filter((start) => !isStretched(ours, theirs, start))
      best = Math.max(best, compareParts(ours, theirs, half, starts))
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

function isStretched(a: PartHead, b: PartHead, { sx, sy }: Placement) {
  const stretch = (a.aspect * sy) / (b.aspect * sx)
  return stretch > stretchMax || stretch < 1 / stretchMax
}

function compareParts(
  a: QueryPart,
  { edges, ...head }: EncodedPart,
  half: EdgeMap,
  starts: Placement[],
): number {
  const rough = agreementWith(a.halfPoints, a.aspect, half)
  const [start] = starts
    .map((placement) => ({ placement, score: rough(placement) }))
    .sort((p, q) => q.score - p.score)
  if (!start || start.score < refineFrom) return 0
  const near = refine(rough, start.placement, steps, 2)
  if (near.score < scoreFrom.rough) return unscored * near.score
  const b: Part = { ...head, map: decodeEdges(edges) }
  const fine = agreementWith(a.points, a.aspect, b.map)
  const { placement, score } = refine(fine, near.placement, fineSteps, 1)
  if (score < scoreFrom.fine) return unscored * score
  // The finer map is sampled at the cells of the coarser one.
  return placement.sx * placement.sy < 1
    ? scoreOf(b, a, inverse(placement))
    : scoreOf(a, b, placement)
}
