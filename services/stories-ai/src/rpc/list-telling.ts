import { isUuid } from '@figbase/kit/ids'
import { forward } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listTelling as listIds } from '../queries/stories.js'
import type { Impl } from '../routes.js'

const storiesMax = 100

/** Takes no call of catalog if no story tells the revision. */
export function listTelling({ db, catalog }: Ctx): Impl['listTelling'] {
  return async ({ revisionId }, call) => {
    const ids = isUuid(revisionId) ? await listIds(db, revisionId, storiesMax) : []
    if (ids.length === 0) return { stories: [] }
    const { nodes } = await catalog.resolveNodes({ ids: [revisionId, ...ids] }, forward(call))
    const isVisible = nodes.some(({ type }) => type === NodeType.FIGURE_REVISION)
    const stories = nodes.flatMap(({ id, type, name, createdOn }) =>
      isVisible && type === NodeType.STORY ? [{ id, name, ...(createdOn && { createdOn }) }] : [],
    )
    return { stories }
  }
}
