import { directions, type EdgeMap } from './edges.js'

/** Cells on each side of the edge map of a part of a picture. */
export const mapSide = 64
const cellBytes = directions / 2
const mapBytes = mapSide * mapSide * cellBytes
const headBytes = 4 + 4 * 4
const partHeadBytes = 8 + 4 * 4
const partBytes = partHeadBytes + mapBytes

/** Fractions of a part: from its left and top, and its width and height. */
export type Region = { x: number; y: number; width: number; height: number }

export const full: Region = { x: 0, y: 0, width: 1, height: 1 }

/** A described part of a picture, scaled to a square. */
export type Part = PartHead & { map: EdgeMap }

export type PartHead = {
  /** Width / height before it was scaled. */
  aspect: number
  /** The picture shows nothing beyond the part, and seems not to be cropped. */
  isComplete: boolean
  /** The whole picture, in fractions of the part: it may be larger. */
  whole: Region
}

/** A part whose edges are decoded when they are needed: most comparisons end before. */
export type EncodedPart = PartHead & { edges: Buffer }

/** What the verification of candidates reads. `parts`: the content, then framed parts. `centre` is in the content. */
export type Local<P extends PartHead = Part> = { centre: Region; parts: P[] }

export const partsMax = 3

/** Little endian; the strengths of edges have 4 bits. */
export function encodeLocal({ centre, parts }: Local): Buffer {
  const out = Buffer.alloc(headBytes + parts.length * partBytes)
  out.writeUInt8(parts.length, 0)
  writeRegion(out, 4, centre)
  parts.forEach(({ aspect, isComplete, whole, map }, i) => {
    let at = headBytes + i * partBytes
    out.writeFloatLE(aspect, at)
    out.writeUInt8(isComplete ? 1 : 0, at + 4)
    writeRegion(out, at + 8, whole)
    at += partHeadBytes
    for (let k = 0; k < map.data.length; k += 2, at++)
      out[at] = toBits(map.data[k] as number) | (toBits(map.data[k + 1] as number) << 4)
  })
  return out
}

export function decodeLocal(bytes: Buffer): Local<EncodedPart> {
  const parts = Array.from({ length: bytes.readUInt8(0) }, (_, i): EncodedPart => {
    const at = headBytes + i * partBytes
    return {
      aspect: bytes.readFloatLE(at),
      isComplete: bytes.readUInt8(at + 4) === 1,
      whole: regionAt(bytes, at + 8),
      edges: bytes.subarray(at + partHeadBytes, at + partBytes),
    }
  })
  return { centre: regionAt(bytes, 4), parts }
}

const strengths = Float32Array.from({ length: 16 }, (_, bits) => bits / 15)

export function decodeEdges(edges: Buffer): EdgeMap {
  const data = new Float32Array(2 * mapBytes)
  for (let i = 0; i < mapBytes; i++) {
    const both = edges[i] as number
    data[2 * i] = strengths[both & 15] as number
    data[2 * i + 1] = strengths[both >> 4] as number
  }
  return { side: mapSide, data }
}

/** The map with half as many cells on each side: the means of 2 x 2 cells. */
export function decodeHalved(edges: Buffer): EdgeMap {
  const side = mapSide / 2
  const data = new Float32Array(side * side * directions)
  const stride = mapSide * cellBytes
  for (let y = 0, to = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = 2 * (y * stride + x * cellBytes)
      for (let i = from; i < from + cellBytes; i++, to += 2) {
        const a = edges[i] as number
        const b = edges[i + cellBytes] as number
        const c = edges[i + stride] as number
        const d = edges[i + stride + cellBytes] as number
        data[to] = ((a & 15) + (b & 15) + (c & 15) + (d & 15)) / 60
        data[to + 1] = ((a >> 4) + (b >> 4) + (c >> 4) + (d >> 4)) / 60
      }
    }
  }
  return { side, data }
}

function writeRegion(out: Buffer, at: number, { x, y, width, height }: Region) {
  ;[x, y, width, height].forEach((value, i) => {
    out.writeFloatLE(value, at + 4 * i)
  })
}

const regionAt = (bytes: Buffer, at: number): Region => ({
  x: bytes.readFloatLE(at),
  y: bytes.readFloatLE(at + 4),
  width: bytes.readFloatLE(at + 8),
  height: bytes.readFloatLE(at + 12),
})

const toBits = (value: number) => Math.round(15 * value)
