import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, pageSizeMax, toPage } from '@figbase/kit'
import { type CatalogService, type GetNodeRequest, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { encodeChildCursor } from '../domain/child-cursor.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { listChildren, listScoped } from '../queries/node-lists.js'
import type { ListedNode, NodeForCaller } from '../queries/nodes.js'
import { openNode } from '../queries/open-node.js'
import { toNode } from '../wire.js'
import { answer } from './answer.js'
import { parentFor } from './parent-for.js'

type Impl = ServiceImpl<typeof CatalogService>

/** More would be a request for the same again. */
const childTypesMax = 2

export function getNode(ctx: Ctx): Impl['getNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const [first = null, ...others] = childKindsOf(req)
    const newestRevisions = newestOf(req)
    // The workspaces of an organization are found in another way.
    const isFirstBelow = first !== 'workspace'
    const wanted = {
      type: isFirstBelow ? first : null,
      limit: pageSizeMax + 1,
      newestRevisions,
    }
    const opened = await openNode(ctx.db, id, subject, wanted)
    const row = authorize(opened?.node, Permission.VIEW, subject, kind)
    const childrenOf = (type: NodeKind) => listChildren(ctx.db, id, type, pageSizeMax + 1)
    const children =
      first === null ? [] : [isFirstBelow ? (opened?.children ?? []) : await childrenOf(first)]
    for (const type of others) children.push(await childrenOf(type))
    return {
      node: await answer(ctx.db, row),
      ...(req.withParent && (await parentFor(ctx, row, subject))),
      children: children.map(toChildPage),
      newestRevisionIds: opened?.newestRevisionIds ?? [],
      ...(req.scopedAssets &&
        row.type === 'analysis' && { scopedAssets: await scopedAssetsOf(ctx, row, subject) }),
    }
  }
}

function childKindsOf({ children }: GetNodeRequest): NodeKind[] {
  if (children.length > childTypesMax) {
    throw invalid('children', `must name at most ${childTypesMax} types`)
  }
  return children.map((type) => {
    const kind = kindOf(type, 'children')
    if (!kind) throw invalid('children', 'must name types')
    return kind
  })
}

function newestOf({ newestRevisions }: GetNodeRequest): number {
  if (newestRevisions < 0 || newestRevisions > pageSizeMax) {
    throw invalid('newest_revisions', `must be 0 to ${pageSizeMax}`)
  }
  return newestRevisions
}

function toChildPage(rows: ListedNode[]) {
  const last = rows.length > pageSizeMax ? rows[pageSizeMax - 1] : undefined
  return {
    nodes: rows.slice(0, pageSizeMax).map(toNode),
    nextPageToken: last ? encodeChildCursor(last) : '',
  }
}

/** Who views the analysis need not view each of them. */
async function scopedAssetsOf(ctx: Ctx, { id, workspace_id }: NodeForCaller, subject: Subject) {
  const rows = await listScoped(ctx.db, id, workspace_id ?? '', subject, pageSizeMax + 1)
  const page = toPage(rows, pageSizeMax)
  return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
}
