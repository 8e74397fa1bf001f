import type { Box, Grey } from './grey.js'

export const sides = ['top', 'bottom', 'left', 'right'] as const
export type Side = (typeof sides)[number]

/** Pixels of a line of one colour differ by at most this from it. */
const tolerance = 16
/** Pixels at both ends of a line that may differ: the corners of borders. */
const endsPx = 3
const endsPart = 0.015
/** Neighbours across an edge differ by at least this. */
const edgeContrast = 8

/** Every n-th pixel of a picture. */
type Line = { first: number; step: number; count: number }

/** How far the box reaches from this side to the other, in pixels. */
export const depthOf = (box: Box, side: Side) =>
  side === 'top' || side === 'bottom' ? box.bottom - box.top : box.right - box.left

/** Moves one side of the box inwards. */
export const movedIn = (box: Box, side: Side, depth: number): Box => ({
  ...box,
  [side]: box[side] + (side === 'top' || side === 'left' ? depth : -depth),
})

/** The row or column of the box with `depth` others between it and the side. */
function lineOf({ width }: Grey, box: Box, side: Side, depth: number): Line {
  const at = side === 'top' || side === 'left' ? box[side] + depth : box[side] - 1 - depth
  return side === 'top' || side === 'bottom'
    ? { first: at * width + box.left, step: 1, count: box.right - box.left }
    : { first: box.top * width + at, step: width, count: box.bottom - box.top }
}

/** The median brightness of the outermost line. */
export function borderColour(picture: Grey, box: Box, side: Side): number {
  const { first, step, count } = lineOf(picture, box, side, 0)
  const pixels = new Float32Array(count)
  for (let i = 0; i < count; i++) pixels[i] = picture.data[first + i * step] as number
  return pixels.sort()[count >> 1] ?? 0
}

/** The brightness near both ends of a line. */
export function endColours(picture: Grey, box: Box, side: Side, depth: number): number[] {
  const { first, step, count } = lineOf(picture, box, side, depth)
  const inset = Math.min(count >> 1, Math.max(endsPx + 1, Math.round(endsPart * count)))
  return [inset, count - 1 - inset].map((i) => picture.data[first + i * step] as number)
}

export function isUniform(picture: Grey, box: Box, side: Side, depth: number, colour: number) {
  const { first, step, count } = lineOf(picture, box, side, depth)
  const ends = count > 8 * endsPx ? endsPx : 0
  for (let i = ends; i < count - ends; i++)
    if (Math.abs((picture.data[first + i * step] as number) - colour) > tolerance) return false
  return true
}

/** The part of the pixels of a line that differ from their neighbour on the next line inwards. */
export function edgeBelow(picture: Grey, box: Box, side: Side, depth: number): number {
  const { first, step, count } = lineOf(picture, box, side, depth)
  const offset = lineOf(picture, box, side, depth + 1).first - first
  let edges = 0
  for (let i = 0, at = first; i < count; i++, at += step) {
    const difference = (picture.data[at + offset] as number) - (picture.data[at] as number)
    if (Math.abs(difference) > edgeContrast) edges++
  }
  return edges / count
}
