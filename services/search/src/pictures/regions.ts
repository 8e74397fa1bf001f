import { blockSide, compareBlocks } from './edge-program.js'
import { directions } from './edges.js'
import { mapSide, type Part } from './local.js'
import { matrixOf, type Placement } from './placement.js'

/** Regions on each side of a part. */
export const regions = 8
const regionSide = mapSide / regions
/** Blocks on each side of a part, and of a region. */
const blocksSide = mapSide / blockSide
const regionBlocks = blocksSide / regions

/** A square of a part. `agreement`: 0 to 1. `weight`: 0 (no edges) to below 1. */
export type Agreement = { row: number; column: number; agreement: number; weight: number }

/** The sum of the strengths of all edges of a region that gives it half of the full weight. */
const halfWeight = 8

/** The regions of a that lie in b. */
export function commonRegions(a: Part, b: Part, placement: Placement): Agreement[] {
  const blocks = compareBlocks(a.map, a.aspect, b.map, placement)
  const out: Agreement[] = []
  for (let row = 0; row < regions; row++) {
    for (let column = 0; column < regions; column++) {
      const first = 2 * (row * regionBlocks * blocksSide + column * regionBlocks)
      let shared = 0
      let all = 0
      for (let y = 0; y < regionBlocks; y++) {
        for (let x = 0; x < regionBlocks; x++) {
          const at = first + 2 * (y * blocksSide + x)
          shared += blocks[at] as number
          all += blocks[at + 1] as number
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
