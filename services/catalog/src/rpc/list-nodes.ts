import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, isValidTime, pageSize, toIso, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import { type CatalogService, ChildOrder, type ListNodesRequest } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Db, NodeKind } from '../db/schema.js'
import { ageCursors, type ListOrder } from '../domain/child-cursor.js'
import { type ChildFilter, parseFilter, requireOrder } from '../domain/child-filter.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listChanged } from '../queries/changed-nodes.js'
import { listReadable } from '../queries/node-lists.js'
import type { ListedNode } from '../queries/node-sql.js'
import {
  type ContainerKind,
  listChangedContainers,
  listContainers,
} from '../queries/organizations.js'
import { toNode } from '../wire.js'
import { toOrganizationMessages } from './node-messages.js'
import { toOrderedPage } from './ordered-page.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNodes(ctx: Ctx): Impl['listNodes'] {
  return async (req, call) => {
    requireUser(call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const isOrganization = kind === 'organization'
    const limit = isOrganization ? organizationPageSize(ctx, req.pageSize) : pageSize(req.pageSize)
    const page = await pageOf(ctx.db, { kind, subject: subjectOf(call), limit }, req)
    const nodes = isOrganization
      ? await toOrganizationMessages(ctx.db, page.rows)
      : page.rows.map(toNode)
    return { nodes, nextPageToken: page.nextPageToken }
  }
}

type List = { kind: NodeKind; subject: Subject; limit: number }
type Page = { rows: ListedNode[]; nextPageToken: string }

function pageOf(db: Db, list: List, req: ListNodesRequest): Promise<Page> {
  const { kind } = list
  const filter = parseFilter(req.filter)
  const isSelected = req.order !== ChildOrder.UNSPECIFIED || filter !== undefined
  if (isSelected && req.updatedAfter) throw invalid('updated_after', 'excludes order and filter')
  if (req.updatedAfter) return changedPage(db, list, checkedTime(req.updatedAfter), req.pageToken)
  if (kind === 'organization' || kind === 'workspace') {
    const order = requireOrder(req.order, kind)
    return containersPage(db, kind, list, { order, filter }, req.pageToken)
  }
  if (isSelected) throw invalid('type', 'must be ORGANIZATION or WORKSPACE with order or filter')
  return readablePage(db, list, req.pageToken)
}

async function containersPage(
  db: Db,
  kind: ContainerKind,
  { subject, limit }: List,
  { order, filter }: { order: ListOrder; filter: ChildFilter | undefined },
  pageToken: string,
) {
  const after = ageCursors.decode(order, pageToken)
  const rows = await listContainers(db, kind, subject, limit + 1, { order, filter, after })
  return toOrderedPage(rows, limit, order, ageCursors)
}

async function readablePage(db: Db, { kind, subject, limit }: List, pageToken: string) {
  const after = decodeCursor(pageToken)
  return toPage(await listReadable(db, kind, subject, limit + 1, after), limit)
}

function checkedTime(time: Timestamp) {
  if (!isValidTime(time)) throw invalid('updated_after', 'must be a time from 1970 to 9999')
  return toIso(time)
}

/** The token has the time of the last change in place of that of the creation. */
async function changedPage(db: Db, list: List, updatedAfter: string, pageToken: string) {
  const { kind, subject, limit } = list
  const after = decodeCursor(pageToken)
  const changed =
    kind === 'organization' || kind === 'workspace'
      ? await listChangedContainers(db, kind, subject, updatedAfter, limit + 1, after)
      : await listChanged(db, kind, subject, updatedAfter, limit + 1, after)
  const places = changed.map(({ changed_on: created_on, seq }) => ({ created_on, seq }))
  return { rows: changed.slice(0, limit), nextPageToken: toPage(places, limit).nextPageToken }
}

const logoBytesOnPageMax = 4 * 2 ** 20

/** Limits the page so that the logos fit in one message. */
function organizationPageSize({ cfg }: Ctx, requested: number) {
  const max = Math.floor(logoBytesOnPageMax / (cfg.organizationLogoBytesMax + 1))
  return Math.min(pageSize(requested), Math.max(1, max))
}
