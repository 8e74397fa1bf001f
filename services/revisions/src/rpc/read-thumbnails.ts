import { invalid, isUuid, ObjectMissing, StorageUnavailable } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { listFirstThumbnails, type StoredThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { checkSize } from './thumbnail-size.js'

const groupsMax = 100
// Of all pictures together: a reply is one message.
const bytesMax = 4 * 2 ** 20

export function readThumbnails(ctx: Ctx): Impl['readThumbnails'] {
  return async ({ groups, sizePx }) => {
    checkSize(sizePx)
    if (groups.length > groupsMax) throw invalid('groups', `must be at most ${groupsMax}`)
    const ids = groups.map(({ revisionIds }) => revisionIds.filter(isUuid))
    const found = await listFirstThumbnails(ctx.db, ids)
    const pngs = await Promise.all(found.map((one) => read(ctx, one, sizePx)))
    let left = bytesMax
    return {
      pngs: pngs.map((png) => {
        left -= png.length
        return left < 0 ? none : png
      }),
    }
  }
}

const none = new Uint8Array()

/** One that cannot be read now costs nobody the others. */
async function read({ thumbnails, log }: Ctx, found: StoredThumbnail | undefined, sizePx: number) {
  if (!found) return none
  return thumbnails.read(found, sizePx).catch((err: unknown) => {
    // Collected since the query.
    if (err instanceof ObjectMissing) return none
    if (!(err instanceof StorageUnavailable)) throw err
    log.warn({ err, key: found.key }, 'a thumbnail cannot be read')
    return none
  })
}
