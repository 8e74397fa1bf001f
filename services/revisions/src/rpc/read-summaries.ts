import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { ObjectNotFound, StorageUnavailable } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { listSummaries } from '../queries/summaries.js'
import { findFirstThumbnail, type StoredThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { currentThumbnail } from './current-thumbnail.js'
import { summariesFrom } from './summaries.js'
import { checkSize } from './thumbnail-size.js'

const nodesMax = 1000
/** Like ReadNewestThumbnail. */
const thumbnailSearchMax = 100

export function readSummaries(ctx: Ctx): Impl['readSummaries'] {
  return async ({ nodes, sizePx, withoutThumbnail }) => {
    checkSize(sizePx)
    if (nodes.length > nodesMax) throw invalid('nodes', `must be at most ${nodesMax}`)
    const ids = nodes.map(({ id }) => id).filter(isUuid)
    const newestIds = withoutThumbnail ? [] : ids.slice(-thumbnailSearchMax).reverse()
    const { rows, thumbnail } = await listSummaries(ctx.db, ids, newestIds)
    const png = thumbnail && (await read(ctx, thumbnail, newestIds, sizePx))
    const isMissing = rows.length < ids.length || (thumbnail && !png)
    const isFinal = !isMissing && !rows.some((row) => row.is_unfinished)
    return { revisions: summariesFrom(rows, nodes), isFinal, ...(png && { png }) }
  }
}

/**
 * Undefined if the storage is unavailable or the object is lost: the documents are then returned without a
 * picture.
 */
async function read(ctx: Ctx, thumbnail: StoredThumbnail, ids: string[], sizePx: number) {
  const find = () => findFirstThumbnail(ctx.db, ids)
  try {
    const found = { thumbnail, isProcessing: false, isFinal: true }
    return (await currentThumbnail(ctx, found, find, sizePx)).png
  } catch (err) {
    if (!(err instanceof StorageUnavailable || err instanceof ObjectNotFound)) throw err
    ctx.log.warn({ err, key: thumbnail.key }, 'reading a thumbnail failed')
    return undefined
  }
}
