import type { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { z } from 'zod'
import type { Input } from '../endpoint.js'
import { partsQuery } from './parts.js'

/** `cursor`: the list of revisions begins later. */
export const revisionsQuery = {
  query: z.object({ ...partsQuery, cursor: z.string().max(1000).optional() }),
}

/** A revision and the one before, or the page token of the one before: of the last one of a page. */
export type Listed = { revision: Revision; before: Revision | undefined; beforeToken: string }

/** The revisions to show, newest first, and where the next page begins. */
export async function pageOfRevisions(
  { services, call, cfg, query }: Input,
  parentId: string,
  type: NodeType,
) {
  const { cursor: pageToken = '' } = query as { cursor?: string }
  const page = { parentId, type, pageSize: cfg.pageItemsMax, pageToken, newestFirst: true }
  const { revisions, nextPageToken } = await services.revisions.listRevisions(page, call)
  const shown = revisions.map((revision, at): Listed => {
    const before = revisions[at + 1]
    return { revision, before, beforeToken: before ? '' : nextPageToken }
  })
  return { shown, nextPageToken, isFirst: pageToken === '' }
}
