import { readFileSync } from 'node:fs'
import { Instance, Module, type WebAssemblyMemory } from '../vectors/web-assembly.js'
import { directions, type EdgeMap } from './edges.js'
import { mapSide } from './local.js'
import { matrixOf, type Placement } from './placement.js'

/** Cells of a map with edges: the strengths of their edges by direction, then where they are (x, y, and two unused). */
export type Points = Float32Array

/** Numbers of each point. */
export const pointNumbers = directions + 4

type Program = {
  memory: WebAssemblyMemory
  /** How well points agree with a map at a placement, 0 to 1. */
  agreement(points: number, count: number, map: number, side: number, ...matrix: Matrix): number
  /** Writes the map as it is seen from the cells of another, and masks: 0 where it is not known. */
  move(map: number, side: number, moved: number, masks: number, ...matrix: Matrix): void
  /** Writes for each block of 4 x 4 cells what is shared, and the sum of both. It may be moved by one cell. */
  compareBlocks(map: number, side: number, moved: number, masks: number, out: number): void
}
type Matrix = [x: number, y: number, xx: number, xy: number, yx: number, yy: number]

const module = new Module(readFileSync(new URL('./edge-program.wasm', import.meta.url)))
const program = new Instance(module, {}).exports as Program

/** Cells on each side of a block. */
export const blockSide = 4

const blocks = (mapSide / blockSide) ** 2
const mapBytes = mapSide * mapSide * directions * 4
const borderedCells = (mapSide + 2) ** 2
const pointsMax = 512

/** Where each area of the memory begins, in bytes. */
const pointsAt = 0
const oursAt = pointsAt + pointsMax * pointNumbers * 4
const theirsAt = oursAt + mapBytes
const movedAt = theirsAt + mapBytes
const masksAt = movedAt + borderedCells * directions * 4
const blocksAt = masksAt + borderedCells * 4

const numbers = new Float32Array(program.memory.buffer)
const ours = numbers.subarray(oursAt / 4)
const theirs = numbers.subarray(theirsAt / 4)
const blockNumbers = numbers.subarray(blocksAt / 4, blocksAt / 4 + 2 * blocks)

/**
 * How well points of a part a agree with a map of a part b at a placement, 0 to 1; points outside do not. Valid until
 * the next call of a function of this module. `aspect`: width / height of part a.
 */
export function agreementWith(points: Points, aspect: number, { side, data }: EdgeMap) {
  numbers.set(points, pointsAt / 4)
  theirs.set(data)
  const count = points.length / pointNumbers
  return (placement: Placement): number => {
    const { x, y, xx, xy, yx, yy } = matrixOf(placement, aspect)
    return program.agreement(pointsAt, count, theirsAt, side, x, y, xx, xy, yx, yy)
  }
}

/**
 * Compares blocks of 4 x 4 cells of a with what lies on them of b, or one cell beside them: for each block the strengths
 * that both share, and the strengths of both. The next call overwrites them.
 */
export function compareBlocks(
  a: EdgeMap,
  aspect: number,
  b: EdgeMap,
  placement: Placement,
): Float32Array {
  ours.set(a.data)
  theirs.set(b.data)
  const { x, y, xx, xy, yx, yy } = matrixOf(placement, aspect)
  program.move(theirsAt, mapSide, movedAt, masksAt, x, y, xx, xy, yx, yy)
  program.compareBlocks(oursAt, mapSide, movedAt, masksAt, blocksAt)
  return blockNumbers
}
