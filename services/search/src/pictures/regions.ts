import { directions } from './edges.js'
import { mapSide, type Part } from './local.js'
import { matrixOf, type Placement, sample } from './placement.js'

/** Regions on each side of a part. */
export const regions = 8
const regionSide = mapSide / regions
/** Cells on each side of a block: a block may be moved by one cell. */
const blockSide = 4

/** A square of a part. `agreement`: 0 to 1. `weight`: 0 (no edges) to below 1. */
export type Agreement = { row: number; column: number; agreement: number; weight: number }

/** The sum of the strengths of all edges of a region that gives it half of the full weight. */
const halfWeight = 8

/** The regions of a that lie in b. */
export function commonRegions(a: Part, b: Part, placement: Placement): Agreement[] {
  const { moved, inside } = sampled(a, b, placement)
  const out: Agreement[] = []
  for (let row = 0; row < regions; row++) {
    for (let column = 0; column < regions; column++) {
      let shared = 0
      let all = 0
      for (let y = row * regionSide; y < (row + 1) * regionSide; y += blockSide) {
        for (let x = column * regionSide; x < (column + 1) * regionSide; x += blockSide) {
          const block = compareBlock(a.map.data, moved, inside, y, x)
          shared += block.shared
          all += block.all
        }
      }
      if (all > 0)
        out.push({ row, column, agreement: (2 * shared) / all, weight: all / (all + halfWeight) })
    }
  }
  return out
}

/** The weight of the regions of a that lie beyond a complete picture b. */
export function missingRegions(a: Part, b: Part, placement: Placement): number {
  if (!b.isComplete || isCrop(a, b, placement)) return 0
  const { x: dx, y: dy, xx, xy, yx, yy } = matrixOf(placement, a.aspect)
  let sum = 0
  for (let row = 0; row < regions; row++) {
    for (let column = 0; column < regions; column++) {
      const px = (column + 0.5) / regions - 0.5
      const py = (row + 0.5) / regions - 0.5
      const x = dx + xx * px + xy * py
      const y = dy + yx * px + yy * py
      if (Math.max(Math.abs(x), Math.abs(y)) < 0.5 + beyond) continue
      const strength = 2 * strengthOf(a, row, column)
      sum += strength / (strength + halfWeight)
    }
  }
  return sum
}

/** Whether the whole picture b lies within a, away from all of its sides. */
function isCrop(a: Part, b: Part, placement: Placement): boolean {
  const { sx, sy, x, y } = placement
  const isInside = (from: number, size: number, outerFrom: number, outerSize: number) =>
    from > outerFrom + cropFrom * outerSize && from + size < outerFrom + (1 - cropFrom) * outerSize
  const left = (b.whole.x - 0.5 - x) / sx
  const top = (b.whole.y - 0.5 - y) / sy
  return (
    isInside(left, b.whole.width / sx, a.whole.x - 0.5, a.whole.width) &&
    isInside(top, b.whole.height / sy, a.whole.y - 0.5, a.whole.height)
  )
}

/** A crop takes at least this part of the width and height from each side. */
const cropFrom = 0.03

/** Outside a part by more than this counts, in fractions of its sides. */
const beyond = 0.04

function strengthOf({ map }: Part, row: number, column: number) {
  let sum = 0
  const width = regionSide * directions
  for (let y = row * regionSide; y < (row + 1) * regionSide; y++) {
    const from = y * mapSide * directions + column * width
    for (let k = from; k < from + width; k++) sum += map.data[k] as number
  }
  return sum
}

/** The map of b as seen from the cells of a. `inside`: 1 where b is known. */
function sampled(a: Part, b: Part, placement: Placement) {
  const { x: dx, y: dy, xx, xy, yx, yy } = matrixOf(placement, a.aspect)
  const moved = new Float32Array(b.map.data.length)
  const inside = new Uint8Array(mapSide * mapSide)
  for (let row = 0, i = 0; row < mapSide; row++) {
    const py = (row + 0.5) / mapSide - 0.5
    for (let column = 0; column < mapSide; column++, i++) {
      const px = (column + 0.5) / mapSide - 0.5
      const x = dx + xx * px + xy * py
      const y = dy + yx * px + yy * py
      if (Math.abs(x) > 0.5 || Math.abs(y) > 0.5) continue
      inside[i] = 1
      sample(b.map, x, y, moved, i * directions)
    }
  }
  return { moved, inside }
}

type Block = { shared: number; all: number }

/** An agreement from which other places are not tried. */
const goodFrom = 0.95
/** Rows and columns to the next cells. */
const besides = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const

/** The best agreement of a block of a with b, also one cell away. */
function compareBlock(
  a: Float32Array,
  b: Float32Array,
  inside: Uint8Array,
  top: number,
  left: number,
): Block {
  let best = blockAt(a, b, inside, top, left, 0, 0)
  if (2 * best.shared >= goodFrom * best.all) return best
  for (const [dy, dx] of besides) {
    const next = blockAt(a, b, inside, top, left, dy, dx)
    if (next.shared * (best.all + 0.5) > best.shared * (next.all + 0.5)) best = next
  }
  return best
}

function blockAt(
  a: Float32Array,
  b: Float32Array,
  inside: Uint8Array,
  top: number,
  left: number,
  dy: number,
  dx: number,
): Block {
  let shared = 0
  let all = 0
  for (let y = top; y < top + blockSide; y++) {
    if (y + dy < 0 || y + dy >= mapSide) continue
    for (let x = left; x < left + blockSide; x++) {
      if (x + dx < 0 || x + dx >= mapSide) continue
      const cell = (y + dy) * mapSide + x + dx
      if (!inside[cell]) continue
      const from = (y * mapSide + x) * directions
      const to = cell * directions
      for (let c = 0; c < directions; c++) {
        const ours = a[from + c] as number
        const theirs = b[to + c] as number
        shared += Math.min(ours, theirs)
        all += ours + theirs
      }
    }
  }
  return { shared, all }
}
