import sharp from 'sharp'

const sidePx = 256
/** Neighbours across an edge differ by at least this, of 255. Backgrounds and grid lines have weak edges. */
const contrast = { all: 24, strong: 64 }
/** Edges at most this far apart are the same, in pixels. */
const nearPx = 2
/** The part of the edges that only one of two nearly identical pictures has. */
const differentMax = 0.05

/** Where a picture has edges: 256 x 256 pixels. */
export type EdgePixels = Uint8Array

/** The edges of the picture without its margins. Uses none of the code that is measured. */
export async function edgePixels(
  picture: Buffer,
  which: keyof typeof contrast,
): Promise<EdgePixels> {
  const trimmed = await sharp(picture).flatten({ background: '#fff' }).trim().png().toBuffer()
  const data = await sharp(trimmed)
    .resize(sidePx, sidePx, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
  return Uint8Array.from(data, (value, i) => {
    const right = (i + 1) % sidePx === 0 ? value : (data[i + 1] ?? value)
    const below = data[i + sidePx] ?? value
    return Math.max(Math.abs(right - value), Math.abs(below - value)) > contrast[which] ? 1 : 0
  })
}

/** Whether nearly all edges of each picture are in the other, too. */
export const areNearlyIdentical = (a: EdgePixels, b: EdgePixels): boolean =>
  onlyIn(a, b) <= differentMax && onlyIn(b, a) <= differentMax

/** The part of the edges of a that are not near an edge of b. */
function onlyIn(a: EdgePixels, b: EdgePixels): number {
  let all = 0
  let only = 0
  a.forEach((isEdge, i) => {
    if (!isEdge) return
    all++
    if (!isNear(b, i % sidePx, Math.floor(i / sidePx))) only++
  })
  return all === 0 ? 0 : only / all
}

function isNear(edges: EdgePixels, x: number, y: number) {
  for (let dy = -nearPx; dy <= nearPx; dy++)
    for (let dx = -nearPx; dx <= nearPx; dx++) {
      const column = x + dx
      if (column >= 0 && column < sidePx && edges[(y + dy) * sidePx + column]) return true
    }
  return false
}
