import type { Region } from './local.js'

/**
 * Where a point of part a is in part b. Coordinates are from -0.5 to 0.5 in each part. It is stretched by `sx` and
 * `sy`, turned by `turn` radians, and moved by `x` and `y`.
 */
export type Placement = { sx: number; sy: number; x: number; y: number; turn: number }

/** One region of a lies on one region of b; both are given in fractions of the parts. */
export function placementOf(a: Region, b: Region): Placement {
  const sx = b.width / a.width
  const sy = b.height / a.height
  return {
    sx,
    sy,
    x: b.x + b.width / 2 - 0.5 - sx * (a.x + a.width / 2 - 0.5),
    y: b.y + b.height / 2 - 0.5 - sy * (a.y + a.height / 2 - 0.5),
    turn: 0,
  }
}

/** Where a point of b is in a. Exact without a turn. */
export const inverse = ({ sx, sy, x, y, turn }: Placement): Placement => ({
  sx: 1 / sx,
  sy: 1 / sy,
  x: -x / sx,
  y: -y / sy,
  turn: -turn,
})

/** A point of a, by its coordinates in b: x + xx * px + xy * py, y + yx * px + yy * py. */
export type Matrix = { x: number; y: number; xx: number; xy: number; yx: number; yy: number }

/** `aspect`: width / height of part a, since a turn mixes the two. */
export const matrixOf = ({ sx, sy, x, y, turn }: Placement, aspect: number): Matrix => ({
  x,
  y,
  xx: sx,
  xy: (-sx * turn) / aspect,
  yx: sy * turn * aspect,
  yy: sy,
})
