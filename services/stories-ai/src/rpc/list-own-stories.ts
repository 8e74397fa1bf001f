import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listSavedBy } from '../queries/versions.js'
import type { Impl } from '../routes.js'
import { nothingTold } from '../told.js'
import { toContent, toSlides, toVersion } from '../wire.js'

/** Far below the size limit of a message. */
const pageBytesMax = 4 * 2 ** 20
const beforeAll = '00000000-0000-0000-0000-000000000000'

export function listOwnStories({ db, cfg }: Ctx): Impl['listOwnStories'] {
  return async ({ pageSize, pageToken }, call) => {
    const savedBy = requireUnbound(call)
    if (pageToken && !isUuid(pageToken)) throw invalid('page_token', 'is not a token of this list')
    const fitting = Math.max(1, Math.floor(pageBytesMax / cfg.storyBytesMax))
    const limit = pageSize > 0 ? Math.min(pageSize, fitting) : fitting
    const rows = await listSavedBy(db, savedBy, pageToken || beforeAll, limit)
    const stories = rows.map((row) => {
      const content = toContent(row)
      const { name, description, revisionIds } = content
      return {
        id: row.story_id,
        version: toVersion(row),
        name,
        ...(description !== null && { description }),
        revisionIds,
        // What the server says about figures is not what the caller wrote.
        slides: toSlides(content, nothingTold),
      }
    })
    return { stories, nextPageToken: rows.length === limit ? (rows.at(-1)?.story_id ?? '') : '' }
  }
}
