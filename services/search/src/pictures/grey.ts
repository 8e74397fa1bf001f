/** Brightness of pixels by rows, 0 to 255. */
export type Grey = { width: number; height: number; data: Float32Array }

/** A part of a picture in pixels; `right` and `bottom` are excluded. May have fractions. */
export type Box = { left: number; top: number; right: number; bottom: number }

export const wholeOf = ({ width, height }: Grey): Box => ({
  left: 0,
  top: 0,
  right: width,
  bottom: height,
})

/** The part of `box` given in fractions of its sides. */
export function partOf(box: Box, left: number, top: number, right: number, bottom: number): Box {
  const width = box.right - box.left
  const height = box.bottom - box.top
  return {
    left: box.left + left * width,
    top: box.top + top * height,
    right: box.left + right * width,
    bottom: box.top + bottom * height,
  }
}

/** Scales a box to `side` x `side` pixels: averages when it shrinks, interpolates when it enlarges. */
export function resample({ data, width, height }: Grey, box: Box, side: number): Grey {
  const columns = tapsOf(box.left, box.right, width, side)
  const rows = tapsOf(box.top, box.bottom, height, side)
  const { first: top, count: rowCount } = rangeOf(rows)
  const narrow = new Float32Array(rowCount * side)
  for (let y = 0; y < rowCount; y++) {
    const from = (top + y) * width
    for (let x = 0; x < side; x++) {
      const { first, weights } = columns[x] as Taps
      let sum = 0
      for (let k = 0; k < weights.length; k++)
        sum += (weights[k] as number) * (data[from + first + k] as number)
      narrow[y * side + x] = sum
    }
  }
  const out = new Float32Array(side * side)
  for (let y = 0; y < side; y++) {
    const { first, weights } = rows[y] as Taps
    for (let k = 0; k < weights.length; k++) {
      const weight = weights[k] as number
      const from = (first - top + k) * side
      for (let x = 0; x < side; x++)
        out[y * side + x] = (out[y * side + x] as number) + weight * (narrow[from + x] as number)
    }
  }
  return { width: side, height: side, data: out }
}

/** The source pixels of one target pixel, and their weights, whose sum is 1. */
type Taps = { first: number; weights: Float32Array }

function tapsOf(from: number, to: number, size: number, side: number): Taps[] {
  const step = (to - from) / side
  const radius = Math.max(1, step)
  return Array.from({ length: side }, (_, i) => {
    const centre = from + (i + 0.5) * step - 0.5
    const first = clamp(Math.ceil(centre - radius), 0, size - 1)
    const last = clamp(Math.floor(centre + radius), first, size - 1)
    const weights = new Float32Array(last - first + 1)
    for (let k = 0; k < weights.length; k++)
      weights[k] = Math.max(1e-6, 1 - Math.abs(first + k - centre) / radius)
    const sum = weights.reduce((a, b) => a + b, 0)
    return { first, weights: weights.map((weight) => weight / sum) }
  })
}

function rangeOf(taps: Taps[]) {
  const first = Math.min(...taps.map((each) => each.first))
  const end = Math.max(...taps.map((each) => each.first + each.weights.length))
  return { first, count: end - first }
}

export const clamp = (value: number, min: number, max: number) =>
  Math.min(max, Math.max(min, value))
