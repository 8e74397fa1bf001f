import { PictureError } from './picture.js'

export type EpsPage = {
  widthPx: number
  heightPx: number
  dpi: number
  /** The PostScript program. It draws from the lower left corner. */
  input: Buffer[]
}

const pointsPerInch = 72
const previewHeaderBytes = 30
const commentsBytes = 64 * 1024
const boundingBox = /^%%BoundingBox:((?:[ \t]+[-+]?[\d.]+){4})/m

/** An EPS as a one-page program, scaled so that its longer side has `sidePx` pixels. */
export function epsPage(bytes: Buffer, sidePx: number): EpsPage {
  const program = withoutPreview(bytes)
  // The header may refer to the end of the file.
  const box = boxIn(program.subarray(0, commentsBytes)) ?? boxIn(program.subarray(-commentsBytes))
  const [left = 0, bottom = 0, right = 0, top = 0] = box ?? []
  const [width, height] = [right - left, top - bottom]
  if (!(width >= 1 && height >= 1)) throw new PictureError('the image has no valid size')
  const scale = sidePx / Math.max(width, height)
  const pixels = (points: number) => Math.max(1, Math.round(points * scale))
  const start = Buffer.from(`%!PS\n${-left} ${-bottom} translate\n`)
  const end = Buffer.from(program.includes('showpage') ? '' : '\nshowpage\n')
  return {
    widthPx: pixels(width),
    heightPx: pixels(height),
    dpi: pointsPerInch * scale,
    input: [start, program, end],
  }
}

const boxIn = (part: Buffer) =>
  boundingBox.exec(part.toString('latin1'))?.[1]?.trim().split(/\s+/).map(Number)

/** The PostScript of a file that also has a preview. The header says where it is. */
function withoutPreview(bytes: Buffer) {
  if (bytes[0] !== 0xc5 || bytes.length < previewHeaderBytes) return bytes
  const start = bytes.readUInt32LE(4)
  return bytes.subarray(start, start + bytes.readUInt32LE(8))
}
