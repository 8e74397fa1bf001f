import { boxesOf } from './boxes.js'
import { fillCorners } from './corners.js'
import { type DecodeLimits, decodePicture } from './decode.js'
import { edgeMap } from './edges.js'
import { hashOf } from './global.js'
import { encodeGlobal } from './global-code.js'
import { type Box, type Grey, wholeOf } from './grey.js'
import { sides } from './lines.js'
import { encodeLocal, full, mapSide, type Part, partsMax } from './local.js'

/** Changes when descriptors of different versions cannot be compared. */
export const pictureVersion = 1

/** What is compared. */
export type LocalDescriptor = Pick<PictureDescriptor, 'version' | 'local'>

/** `global`: at most 512 bytes, of fixed length, for candidates. `local`: at most 32 KiB, for verification. */
export type PictureDescriptor = { version: number; global: Buffer; local: Buffer }

export const defaultLimits: DecodeLimits = {
  picturePixelsMax: 100_000_000,
  pictureBytesMax: 64 * 1024 * 1024,
}

/** A picture with a margin of at least this many pixels on each side is taken for complete. */
const marginFromPx = 2

/** Describes a raster picture of any format that sharp decodes, its first frame. Throws a PictureError. */
export async function describePicture(
  input: Buffer,
  limits: DecodeLimits = defaultLimits,
): Promise<PictureDescriptor> {
  const picture = await decodePicture(input, limits)
  fillCorners(picture)
  const { content, centre, framed } = boxesOf(picture)
  const parts = [content, ...framed.slice(-(partsMax - 1))].map((box, i) =>
    partOf(picture, box, i === 0),
  )
  const [first, ...others] = parts.map(({ map }) => hashOf(map))
  const hashOfBox = (box: Box) =>
    isSame(box, content) ? (first as Uint32Array) : hashOf(edgeMap(picture, box, mapSide))
  return {
    version: pictureVersion,
    global: encodeGlobal({
      whole: hashOfBox(wholeOf(picture)),
      content: first as Uint32Array,
      centre: hashOfBox(centre),
      framed: others,
    }),
    local: encodeLocal({
      centre: within(content, centre),
      parts,
    }),
  }
}

function partOf(picture: Grey, box: Box, isContent: boolean): Part {
  const whole = wholeOf(picture)
  return {
    aspect: (box.right - box.left) / (box.bottom - box.top),
    isComplete:
      isContent && sides.every((side) => Math.abs(box[side] - whole[side]) >= marginFromPx),
    whole: isContent ? within(box, whole) : full,
    map: edgeMap(picture, box, mapSide),
  }
}

const isSame = (a: Box, b: Box) => sides.every((side) => a[side] === b[side])

function within(outer: Box, inner: Box) {
  const width = outer.right - outer.left
  const height = outer.bottom - outer.top
  return {
    x: (inner.left - outer.left) / width,
    y: (inner.top - outer.top) / height,
    width: (inner.right - inner.left) / width,
    height: (inner.bottom - inner.top) / height,
  }
}
