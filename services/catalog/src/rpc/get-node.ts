import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize, pageSizeMax, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, type GetNodeRequest, Permission } from '@figbase/proto/catalog'
import { authorize, permissionsOn } from '../access.js'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { encodeChildCursor } from '../domain/child-cursor.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { listChildren } from '../queries/children.js'
import { listFirstChildren } from '../queries/node-lists.js'
import type { ListedNode, NodeForCaller } from '../queries/node-sql.js'
import { findNodeWithChildren } from '../queries/node-with-children.js'
import { listScoped } from '../queries/scoped-assets.js'
import { toNode } from '../wire.js'
import { toNodeMessage } from './node-messages.js'
import { visibleAncestors, visibleParent } from './visible-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

/** No node has children of more than three types. */
const childTypesMax = 3

export function getNode(ctx: Ctx): Impl['getNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const [first = null, ...others] = childKindsOf(req)
    const newestRevisions = newestOf(req)
    const limit = pageSize(req.childrenPageSize)
    // The workspaces of an organization are not its children in the tree, so they take a query of their own.
    const isFirstInTree = first !== 'workspace'
    const parts = {
      type: isFirstInTree ? first : null,
      limit: limit + 1,
      newestRevisions,
      staleReasons: kind === 'figure' && newestRevisions === 0,
    }
    const found = await findNodeWithChildren(ctx.db, id, subject, parts)
    const row = authorize(found?.node, Permission.VIEW, subject, kind)
    const more = await firstChildrenOf(ctx, id, isFirstInTree ? others : [first, ...others], limit)
    const children = isFirstInTree && first ? [found?.children ?? [], ...more] : more
    return {
      node: await toNodeMessage(ctx.db, row),
      ...(req.withParent && (await visibleParent(ctx, row, subject))),
      children: children.map((rows) => toChildPage(rows, limit)),
      newestRevisionIds: found?.newestRevisionIds ?? [],
      ...(req.scopedAssets &&
        row.type === 'analysis' && {
          scopedAssets: await scopedAssetsOf(ctx, row, subject, limit),
        }),
      ...(req.withAncestors && { ancestors: await visibleAncestors(ctx, row, subject) }),
      ...(req.withPermissions && { permissions: permissionsOn(row, subject) }),
    }
  }
}

/** All with one statement, except for workspaces. */
async function firstChildrenOf({ db }: Ctx, id: string, kinds: NodeKind[], pageSize: number) {
  const limit = pageSize + 1
  const inTree = kinds.filter((kind) => kind !== 'workspace')
  const byKind = await listFirstChildren(db, id, inTree, limit)
  const workspaces =
    inTree.length < kinds.length
      ? await listChildren(db, { parentId: id, type: 'workspace', limit })
      : []
  return kinds.map((kind) => (kind === 'workspace' ? workspaces : (byKind.get(kind) ?? [])))
}

function childKindsOf({ children }: GetNodeRequest): NodeKind[] {
  if (children.length > childTypesMax) {
    throw invalid('children', `must have at most ${childTypesMax} types`)
  }
  return children.map((type) => {
    const kind = kindOf(type, 'children')
    if (!kind) throw invalid('children', 'must not contain UNSPECIFIED')
    return kind
  })
}

function newestOf({ newestRevisions }: GetNodeRequest): number {
  if (newestRevisions < 0 || newestRevisions > pageSizeMax) {
    throw invalid('newest_revisions', `must be between 0 and ${pageSizeMax}`)
  }
  return newestRevisions
}

function toChildPage(rows: ListedNode[], limit: number) {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    nodes: rows.slice(0, limit).map(toNode),
    nextPageToken: last ? encodeChildCursor(last) : '',
  }
}

/** Only the assets that the caller can view: access to the analysis does not include them. */
async function scopedAssetsOf(
  ctx: Ctx,
  { id, workspace_id }: NodeForCaller,
  subject: Subject,
  limit: number,
) {
  const rows = await listScoped(ctx.db, id, workspace_id ?? '', subject, limit + 1)
  const page = toPage(rows, limit)
  return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
}
