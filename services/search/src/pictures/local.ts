import { directions, type EdgeMap } from './edges.js'

/** Cells on each side of the edge map of a part of a picture. */
export const mapSide = 64
const mapBytes = (mapSide * mapSide * directions) / 2
const headBytes = 4 + 4 * 4
const partHeadBytes = 8 + 4 * 4
const partBytes = partHeadBytes + mapBytes

/** Fractions of a part: from its left and top, and its width and height. */
export type Region = { x: number; y: number; width: number; height: number }

export const full: Region = { x: 0, y: 0, width: 1, height: 1 }

/** A described part of a picture, scaled to a square. */
export type Part = {
  /** Width / height before it was scaled. */
  aspect: number
  /** The picture shows nothing beyond the part, and seems not to be cropped. */
  isComplete: boolean
  /** The whole picture, in fractions of the part: it may be larger. */
  whole: Region
  map: EdgeMap
}

/** What the verification of candidates reads. `parts`: the content, then framed parts. `centre` is in the content. */
export type Local = { centre: Region; parts: Part[] }

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

export function decodeLocal(bytes: Buffer): Local {
  const parts = Array.from({ length: bytes.readUInt8(0) }, (_, i): Part => {
    const at = headBytes + i * partBytes
    const data = new Float32Array(mapSide * mapSide * directions)
    for (let k = 0, from = at + partHeadBytes; k < data.length; k += 2, from++) {
      const both = bytes[from] as number
      data[k] = (both & 15) / 15
      data[k + 1] = (both >> 4) / 15
    }
    return {
      aspect: bytes.readFloatLE(at),
      isComplete: bytes.readUInt8(at + 4) === 1,
      whole: regionAt(bytes, at + 8),
      map: { side: mapSide, data },
    }
  })
  return { centre: regionAt(bytes, 4), parts }
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
