import type { ServiceImpl } from '@connectrpc/connect'
import { toIso } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import { type CatalogService, NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import {
  claimDeletions,
  type DeletedNode,
  type DeletionCursor,
  firstDeletion,
  type ListedKind,
  listDeletedNodes as listRows,
} from '../queries/deleted-nodes.js'

type Impl = ServiceImpl<typeof CatalogService>

const rowsMax = 1000
const rootsMax = 100

const listed: Partial<Record<NodeType, ListedKind>> = {
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE]: 'figure',
  [NodeType.FIGURE_REVISION]: 'figure_revision',
  [NodeType.ASSET]: 'asset',
  [NodeType.ASSET_REVISION]: 'asset_revision',
  [NodeType.STORY]: 'story',
}

/** Claims the deletions first, so that no listed node can still be restored. */
export function listDeletedNodes(ctx: Ctx): Impl['listDeletedNodes'] {
  const { db, cfg } = ctx
  return async ({ deletedBefore, pageToken, types }, call) => {
    requireSystem(call)
    const kinds = kindsOf(types)
    const after = decode(pageToken)
    const before = deletedBefore ? toIso(deletedBefore) : null
    const roots = await ctx.write((db) =>
      claimDeletions(db, after, before, cfg.deletedRetentionMs, rootsMax),
    )
    const rows = await listRows(db, kinds, after, roots, rowsMax)
    const last = rows.at(-1)
    return {
      ids: rows.flatMap(({ id }) => id ?? []),
      nextPageToken: last ? encode(last) : pageToken,
      hasMore: rows.length === rowsMax || roots.length === rootsMax,
    }
  }
}

function kindsOf(types: NodeType[]): ListedKind[] {
  const kinds = types.flatMap((type) => listed[type] ?? [])
  if (kinds.length === 0 || kinds.length < types.length) {
    const names = Object.values(listed).map((kind) => kind.toUpperCase())
    throw invalid('types', `must be of ${names.join(', ')}`)
  }
  return kinds
}

const encode = ({ deleted_on, root_id, created_on, seq }: DeletedNode) =>
  Buffer.from(JSON.stringify([deleted_on, root_id, created_on, String(seq)])).toString('base64url')

const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/
const isTime = (text: string) => time.test(text) && !Number.isNaN(Date.parse(text))

function decode(token: string): DeletionCursor {
  if (!token) return firstDeletion
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (Array.isArray(parts)) {
      const [deletedOn = '', rootId = '', createdOn = '', seq = ''] = parts.map(String)
      const isValid =
        isTime(deletedOn) && isUuid(rootId) && isTime(createdOn) && /^\d{1,18}$/.test(seq)
      if (isValid) return { deletedOn, rootId, createdOn, seq }
    }
  } catch {
    // Invalid JSON: throws below.
  }
  throw invalid('page_token', 'is not a page token of this list')
}
