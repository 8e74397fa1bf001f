import { DataType } from '@figbase/proto/revisions'

type Data = { type: number; metadata: string; is_clone: boolean }

const bitmaps = ['png', 'jpeg', 'jpg', 'webp', 'gif', 'tiff', 'tif']
/** What is drawn, the quickest first. */
const drawn = ['svg', 'pdf', 'eps']
const hopeless = ['html', 'pickle', 'rds']

/**
 * The images that may stand for a revision, best first: what can be decoded at all, then what was not
 * cloned from another revision, then without a watermark, then bitmaps before drawings. `format` is only the caller's word, so nothing is
 * left out.
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
  const rankOfFormat = bitmaps.includes(name) ? 0 : 2 + drawn.indexOf(name)
  const rankOfContent = (hopeless.includes(name) ? 20 : 0) + (watermarked === true ? 5 : 0)
  return rankOfContent + (isClone ? 10 : 0) + rankOfFormat
}
