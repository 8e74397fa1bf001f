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

/** The parts of the 4 pixels of a row or column around a cell. */
const weights = [1 / 8, 3 / 8, 3 / 8, 1 / 8]

/** Weighted means of 4 x 4 pixels around the centre of each cell. */
function pool(edges: Float32Array, side: number): Float32Array {
  const sidePx = side * cellPx
  const out = new Float32Array(side * side * directions)
  const [columns, rows] = [new Int32Array(4), new Int32Array(4)]
  for (let y = 0; y < side; y++) {
    around(y, sidePx, rows)
    for (let x = 0; x < side; x++) {
      around(x, sidePx, columns)
      let [a, b, c, d] = [0, 0, 0, 0]
      for (let j = 0; j < 4; j++) {
        const row = (rows[j] as number) * sidePx
        for (let i = 0; i < 4; i++) {
          const weight = (weights[i] as number) * (weights[j] as number)
          const from = (row + (columns[i] as number)) * directions
          // Rounded as descriptors that were made before are.
          a = Math.fround(a + weight * (edges[from] as number))
          b = Math.fround(b + weight * (edges[from + 1] as number))
          c = Math.fround(c + weight * (edges[from + 2] as number))
          d = Math.fround(d + weight * (edges[from + 3] as number))
        }
      }
      const to = (y * side + x) * directions
      out[to] = a
      out[to + 1] = b
      out[to + 2] = c
      out[to + 3] = d
    }
  }
  return out
}

/** The 4 pixels around a cell, within the picture. */
function around(cell: number, sidePx: number, out: Int32Array): void {
  for (let i = 0; i < 4; i++) out[i] = Math.min(sidePx - 1, Math.max(0, cell * cellPx + i - 1))
}

/** The value below which this part of the values above 1 are. */
function quantile(values: Float32Array, part: number): number {
  const positive = values.filter((value) => value > 1)
  return nth(positive, Math.floor(part * (positive.length - 1))) ?? 0
}

/** The value at this place if the values were sorted. Changes their order. */
function nth(values: Float32Array, place: number): number | undefined {
  let [from, to] = [0, values.length - 1]
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number
    let [low, high] = [from, to]
    while (low <= high) {
      while ((values[low] as number) < pivot) low++
      while ((values[high] as number) > pivot) high--
      if (low > high) break
      const swapped = values[low] as number
      values[low++] = values[high] as number
      values[high--] = swapped
    }
    if (place <= high) to = high
    else if (place >= low) from = low
    else return values[place]
  }
  return values[place]
}
