import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { type Cursor, decodeCursor, isValidTime, pageSize, toIso, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Db, NodeKind } from '../db/schema.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listChanged } from '../queries/changed-nodes.js'
import { listReadable } from '../queries/node-lists.js'
import { listChangedContainers, listContainers } from '../queries/organizations.js'
import { toNode } from '../wire.js'
import { toOrganizationMessages } from './node-messages.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNodes(ctx: Ctx): Impl['listNodes'] {
  return async (req, call) => {
    requireUser(call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const isOrganization = kind === 'organization'
    const limit = isOrganization ? organizationPageSize(ctx, req.pageSize) : pageSize(req.pageSize)
    const list = {
      kind,
      subject: subjectOf(call),
      limit: limit + 1,
      after: decodeCursor(req.pageToken),
    }
    const page = req.updatedAfter
      ? toChangedPage(await changedRows(ctx.db, list, checkedTime(req.updatedAfter)), limit)
      : toPage(await rows(ctx.db, list), limit)
    const nodes = isOrganization
      ? await toOrganizationMessages(ctx.db, page.rows)
      : page.rows.map(toNode)
    return { nodes, nextPageToken: page.nextPageToken }
  }
}

function checkedTime(time: Timestamp) {
  if (!isValidTime(time)) throw invalid('updated_after', 'must be a time from 1970 to 9999')
  return toIso(time)
}

type List = { kind: NodeKind; subject: Subject; limit: number; after: Cursor | undefined }

const rows = (db: Db, { kind, subject, limit, after }: List) =>
  kind === 'organization' || kind === 'workspace'
    ? listContainers(db, kind, subject, limit, after)
    : listReadable(db, kind, subject, limit, after)

async function changedRows(db: Db, { kind, subject, limit, after }: List, updatedAfter: string) {
  return kind === 'organization' || kind === 'workspace'
    ? listChangedContainers(db, kind, subject, updatedAfter, limit, after)
    : listChanged(db, kind, subject, updatedAfter, limit, after)
}

/** The token has the time of the last change in place of that of the creation. */
function toChangedPage(changed: Awaited<ReturnType<typeof changedRows>>, limit: number) {
  const places = changed.map(({ changed_on: created_on, seq }) => ({ created_on, seq }))
  return { rows: changed.slice(0, limit), nextPageToken: toPage(places, limit).nextPageToken }
}

const logoBytesOnPageMax = 4 * 2 ** 20

/** Limits the page so that the logos fit in one message. */
function organizationPageSize({ cfg }: Ctx, requested: number) {
  const max = Math.floor(logoBytesOnPageMax / (cfg.organizationLogoBytesMax + 1))
  return Math.min(pageSize(requested), Math.max(1, max))
}
