import { directions, type EdgeMap } from './edges.js'
import { matrixOf, type Placement, sample } from './placement.js'

/** The map with half as many cells on each side. */
export function halved({ side, data }: EdgeMap): EdgeMap {
  const half = side / 2
  const out = new Float32Array(half * half * directions)
  const stride = side * directions
  for (let y = 0; y < half; y++) {
    for (let x = 0; x < half; x++) {
      const to = (y * half + x) * directions
      const from = 2 * (y * stride + x * directions)
      for (let c = to, k = from; c < to + directions; c++, k++)
        out[c] =
          ((data[k] as number) +
            (data[k + directions] as number) +
            (data[k + stride] as number) +
            (data[k + stride + directions] as number)) /
          4
    }
  }
  return { side: half, data: out }
}

/** Cells of a map with edges: their positions, and the strengths of their edges by direction. */
export type Points = { x: Float32Array; y: Float32Array; data: Float32Array }

/** The least sum of the strengths of a cell with edges. */
const edgesFrom = 0.3

/** At most `countMax` cells with edges, evenly chosen. */
export function pointsOf({ side, data }: EdgeMap, countMax: number): Points {
  const cells: number[] = []
  for (let i = 0; i < side * side; i++) {
    let sum = 0
    for (let c = 0; c < directions; c++) sum += data[i * directions + c] as number
    if (sum >= edgesFrom) cells.push(i)
  }
  const count = Math.min(countMax, cells.length)
  const chosen = Array.from(
    { length: count },
    (_, i) => cells[Math.floor(((i + 0.5) * cells.length) / count)] as number,
  )
  const points = {
    x: Float32Array.from(chosen, (i) => ((i % side) + 0.5) / side - 0.5),
    y: Float32Array.from(chosen, (i) => (Math.floor(i / side) + 0.5) / side - 0.5),
    data: new Float32Array(count * directions),
  }
  chosen.forEach((i, k) => {
    points.data.set(data.subarray(i * directions, (i + 1) * directions), k * directions)
  })
  return points
}

/** How well points of a match b, 0 to 1. Points outside b do not match. `aspect`: width / height of part a. */
export function agreement(
  points: Points,
  aspect: number,
  b: EdgeMap,
  placement: Placement,
): number {
  const matrix = matrixOf(placement, aspect)
  const theirs = new Float32Array(directions)
  let shared = 0
  let all = 1e-6
  let outside = 0
  for (let p = 0; p < points.x.length; p++) {
    const px = points.x[p] as number
    const py = points.y[p] as number
    const x = matrix.x + matrix.xx * px + matrix.xy * py
    const y = matrix.y + matrix.yx * px + matrix.yy * py
    if (Math.abs(x) > 0.5 || Math.abs(y) > 0.5) {
      outside++
      continue
    }
    sample(b, x, y, theirs, 0)
    for (let c = 0; c < directions; c++) {
      const ours = points.data[p * directions + c] as number
      const other = theirs[c] as number
      shared += Math.min(ours, other)
      all += ours + other
    }
  }
  return ((2 * shared) / all) * (1 - outside / Math.max(1, points.x.length))
}

type Steps = Placement

/** Moves the placement in ever smaller steps to where the agreement is best. `halvings`: how often steps are halved. */
export function refine(
  measure: (placement: Placement) => number,
  start: Placement,
  first: Steps,
  halvings: number,
): { placement: Placement; score: number } {
  let placement = start
  let score = measure(start)
  let scale = 1
  for (let halving = 0; halving <= halvings; halving++, scale /= 2) {
    for (const key of ['x', 'y', 'sx', 'sy', 'turn'] as const) {
      for (const sign of [1, -1]) {
        let moved = false
        for (let more = 0; more < 3; more++) {
          const next = { ...placement, [key]: placement[key] + sign * scale * first[key] }
          const better = measure(next)
          if (better <= score) break
          placement = next
          score = better
          moved = true
        }
        if (moved) break
      }
    }
  }
  return { placement, score }
}
