import { directions, type EdgeMap } from './edges.js'
import { resample, wholeOf } from './grey.js'

/** 32-bit words of the hash of one part of a picture. */
export const hashWords = 16
const energySide = 16
const directionSide = 8
/** A part that is stronger than its surroundings by less counts as equal. */
const bias = 0.02

/**
 * The hash of a part of a picture: which of 16 x 16 cells have more edges than their surroundings, and which of 8 x 8
 * cells have more edges of each direction than the whole part has on average.
 */
export function hashOf(map: EdgeMap): Uint32Array {
  const channels = Array.from({ length: directions }, (_, c) => channelOf(map, c))
  const energy = scaled(sumOf(channels), map.side, energySide)
  const bits = Array.from(energy, (value, i) => value > surroundings(energy, i) + bias)
  for (const channel of channels) {
    const values = scaled(channel, map.side, directionSide)
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    for (const value of values) bits.push(value > mean + bias / 2)
  }
  const words = new Uint32Array(hashWords)
  bits.forEach((bit, i) => {
    if (bit) words[i >> 5] = (words[i >> 5] as number) | (1 << (i & 31))
  })
  return words
}

function channelOf({ data, side }: EdgeMap, channel: number): Float32Array {
  const out = new Float32Array(side * side)
  for (let i = 0, at = channel; i < out.length; i++, at += directions) out[i] = data[at] as number
  return out
}

function sumOf(channels: Float32Array[]): Float32Array {
  const out = new Float32Array(channels[0]?.length ?? 0)
  for (const channel of channels)
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + (channel[i] as number)
  return out
}

function scaled(data: Float32Array, from: number, to: number): Float32Array {
  const grid = { width: from, height: from, data }
  return resample(grid, wholeOf(grid), to).data
}

/** The mean of the 5 x 5 cells around a cell. */
function surroundings(energy: Float32Array, at: number): number {
  const [column, row] = [at % energySide, Math.floor(at / energySide)]
  let sum = 0
  let count = 0
  for (let y = Math.max(0, row - 2); y <= Math.min(energySide - 1, row + 2); y++) {
    for (let x = Math.max(0, column - 2); x <= Math.min(energySide - 1, column + 2); x++) {
      sum += energy[y * energySide + x] as number
      count++
    }
  }
  return sum / count
}
