import { type Box, type Grey, resample } from './grey.js'

/** The directions of edges: vertical, horizontal, and the two diagonals. */
export const directions = 4

/**
 * How strong the edges of each direction are in each cell of a grid over a part of a picture: 0 to 1, cell by cell, row
 * by row. The colours, their brightness and which of two is darker make little difference.
 */
export type EdgeMap = { side: number; data: Float32Array }

/** Pixels of the resampled part for each cell. */
const cellPx = 2
/** The contrast at which an edge has half of the full strength: a part of the strongest contrasts, and at least this. */
const halfPart = 0.25
const halfMin = 8

export function edgeMap(picture: Grey, box: Box, side: number): EdgeMap {
  const sidePx = side * cellPx
  const { data } = resample(picture, box, sidePx)
  const edges = directedEdges(data, sidePx)
  const pooled = pool(edges, side)
  const half = Math.max(halfMin, halfPart * quantile(pooled, 0.99))
  for (let i = 0; i < pooled.length; i++) {
    const strength = pooled[i] as number
    pooled[i] = strength / (strength + half)
  }
  return { side, data: pooled }
}

/** The differences between neighbours, by direction, for each pixel. */
function directedEdges(data: Float32Array, side: number): Float32Array {
  const out = new Float32Array(side * side * directions)
  for (let y = 0; y < side; y++) {
    const above = Math.max(0, y - 1) * side
    const below = Math.min(side - 1, y + 1) * side
    for (let x = 0; x < side; x++) {
      const right = data[y * side + Math.min(side - 1, x + 1)] as number
      const dx = right - (data[y * side + Math.max(0, x - 1)] as number)
      const dy = (data[below + x] as number) - (data[above + x] as number)
      const across = Math.abs(dx)
      const down = Math.abs(dy)
      const both = 2 * Math.min(across, down)
      const at = (y * side + x) * directions
      out[at] = Math.max(0, across - down)
      out[at + 1] = Math.max(0, down - across)
      out[at + (dx * dy > 0 ? 2 : 3)] = both
    }
  }
  return out
}

/** Weighted means of 4 x 4 pixels around the centre of each cell. */
function pool(edges: Float32Array, side: number): Float32Array {
  const sidePx = side * cellPx
  const out = new Float32Array(side * side * directions)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const to = (y * side + x) * directions
      for (let j = -1; j <= 2; j++) {
        const py = Math.min(sidePx - 1, Math.max(0, y * cellPx + j))
        for (let i = -1; i <= 2; i++) {
          const px = Math.min(sidePx - 1, Math.max(0, x * cellPx + i))
          const weight = (j === 0 || j === 1 ? 3 : 1) * (i === 0 || i === 1 ? 3 : 1)
          const from = (py * sidePx + px) * directions
          for (let c = 0; c < directions; c++)
            out[to + c] = (out[to + c] as number) + (weight / 64) * (edges[from + c] as number)
        }
      }
    }
  }
  return out
}

/** The value below which this part of the values above 1 are. */
function quantile(values: Float32Array, part: number): number {
  const positive = values.filter((value) => value > 1).sort()
  return positive[Math.floor(part * (positive.length - 1))] ?? 0
}
