import { directions, type EdgeMap } from './edges.js'
import { clamp } from './grey.js'

/**
 * Where a point of part a is in part b, both from -0.5 to 0.5: stretched by `sx` and `sy`, moved by `x` and `y`, and
 * turned by `turn` in radians.
 */
export type Placement = { sx: number; sy: number; x: number; y: number; turn: number }

export const unmoved: Placement = { sx: 1, sy: 1, x: 0, y: 0, turn: 0 }

/** `aspect`: width / height of part a, because a turn mixes the two. Returns [xx, xy, yx, yy] of the matrix. */
export const matrixOf = ({ sx, sy, turn }: Placement, aspect: number) => ({
  xx: sx,
  xy: (-sx * turn) / aspect,
  yx: sy * turn * aspect,
  yy: sy,
})

/** The map with half as many cells on each side, blurred. */
export function halved({ side, data }: EdgeMap): EdgeMap {
  const half = side / 2
  const out = new Float32Array(half * half * directions)
  const weights = [1 / 8, 3 / 8, 3 / 8, 1 / 8]
  const rows = new Float32Array(half * side * directions)
  const stride = side * directions
  for (let y = 0; y < half; y++) {
    for (let j = 0; j < 4; j++) {
      const from = clamp(2 * y - 1 + j, 0, side - 1) * stride
      const weight = weights[j] as number
      for (let k = 0; k < stride; k++)
        rows[y * stride + k] =
          (rows[y * stride + k] as number) + weight * (data[from + k] as number)
    }
    for (let x = 0; x < half; x++) {
      const to = (y * half + x) * directions
      for (let i = 0; i < 4; i++) {
        const from = y * stride + clamp(2 * x - 1 + i, 0, side - 1) * directions
        const weight = weights[i] as number
        for (let c = 0; c < directions; c++)
          out[to + c] = (out[to + c] as number) + weight * (rows[from + c] as number)
      }
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

/** How well points of a match b, 0 to 1. Points outside b do not count. */
export function agreement(
  points: Points,
  aspect: number,
  b: EdgeMap,
  placement: Placement,
): number {
  const { xx, xy, yx, yy } = matrixOf(placement, aspect)
  const { side, data } = b
  const stride = side * directions
  let shared = 0
  let all = 1e-6
  let outside = 0
  for (let p = 0; p < points.x.length; p++) {
    const px = points.x[p] as number
    const py = points.y[p] as number
    const x = (0.5 + placement.x + xx * px + xy * py) * side - 0.5
    const y = (0.5 + placement.y + yx * px + yy * py) * side - 0.5
    if (x < -0.5 || y < -0.5 || x > side - 0.5 || y > side - 0.5) {
      outside++
      continue
    }
    const column = clamp(Math.floor(x), 0, side - 2)
    const row = clamp(Math.floor(y), 0, side - 2)
    const right = clamp(x - column, 0, 1)
    const down = clamp(y - row, 0, 1)
    const at = row * stride + column * directions
    for (let c = 0; c < directions; c++) {
      const above =
        (1 - right) * (data[at + c] as number) + right * (data[at + directions + c] as number)
      const below =
        (1 - right) * (data[at + stride + c] as number) +
        right * (data[at + stride + directions + c] as number)
      const theirs = (1 - down) * above + down * below
      const ours = points.data[p * directions + c] as number
      shared += Math.min(ours, theirs)
      all += ours + theirs
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
