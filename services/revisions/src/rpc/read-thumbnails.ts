import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { ObjectNotFound, StorageUnavailable } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { listFirstThumbnails, type StoredThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { checkSize } from './thumbnail-size.js'

const groupsMax = 100
// For all pictures together, because the reply is one message.
const bytesMax = 4 * 2 ** 20

export function readThumbnails(ctx: Ctx): Impl['readThumbnails'] {
  return async ({ groups, sizePx }) => {
    checkSize(sizePx)
    if (groups.length > groupsMax) throw invalid('groups', `must be at most ${groupsMax}`)
    const ids = groups.map(({ revisionIds }) => revisionIds.filter(isUuid))
    const { thumbnails, isUnfinished } = await listFirstThumbnails(ctx.db, ids)
    const read = await Promise.all(thumbnails.map((one) => readPng(ctx, one, sizePx)))
    let left = bytesMax
    const pngs = read.map((png) => {
      left -= png.length
      return left < 0 ? none : png
    })
    const isMissing = thumbnails.some((one, place) => one && pngs[place] === none)
    return { pngs, isFinal: !isUnfinished && !isMissing }
  }
}

const none = new Uint8Array()

/** A picture that cannot be read must not fail the others. */
async function readPng(
  { thumbnails, log }: Ctx,
  found: StoredThumbnail | undefined,
  sizePx: number,
) {
  if (!found) return none
  return thumbnails.read(found, sizePx).catch((err: unknown) => {
    // The object was collected after the query.
    if (err instanceof ObjectNotFound) return none
    if (!(err instanceof StorageUnavailable)) throw err
    log.warn({ err, key: found.key }, 'reading a thumbnail failed')
    return none
  })
}
