import { DataType } from '@figbase/proto/revisions'

type Data = { type: number; metadata: string; is_clone: boolean }

const bitmaps = ['png', 'jpeg', 'jpg', 'webp', 'gif', 'tiff', 'tif']
/** Vector formats, the fastest to render first. */
const vectors = ['svg', 'pdf', 'eps']
const undecodable = ['html', 'pickle', 'rds']

/**
 * The images that can represent a revision, best first: decodable formats first, then those that were not
 * cloned, then those without a watermark, then bitmaps before vector formats. `format` is declared by the
 * client and may be wrong, so no image is left out.
 */
export function imageCandidates<D extends Data>(data: D[]): D[] {
  return data
    .filter(({ type }) => type === DataType.IMAGE)
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

function rankOf({ metadata, is_clone: isClone }: Data) {
  const { format, is_watermarked: watermarked } = JSON.parse(metadata) as Record<string, unknown>
  const name = typeof format === 'string' ? format.toLowerCase() : ''
  const rankOfFormat = bitmaps.includes(name) ? 0 : 2 + vectors.indexOf(name)
  const rankOfContent = (undecodable.includes(name) ? 20 : 0) + (watermarked === true ? 5 : 0)
  return rankOfContent + (isClone ? 10 : 0) + rankOfFormat
}
