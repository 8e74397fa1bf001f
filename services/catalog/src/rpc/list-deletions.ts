import type { ServiceImpl } from '@connectrpc/connect'
import { type Cursor, decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService, ListDeletionsRequest } from '@figbase/proto/catalog'
import { authorizeDeletions } from '../access.js'
import type { Ctx } from '../context.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import {
  type Deletion,
  type DeletionPage,
  listDeletedContainers,
  listDeletedIn,
} from '../queries/deletions.js'
import { toDeletion } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listDeletions(ctx: Ctx): Impl['listDeletions'] {
  return async (req, call) => {
    requireUser(call)
    if (req.offset < 0) throw invalid('offset', 'must not be negative')
    const { deletedRetentionMs: retentionMs } = ctx.cfg
    const limit = pageSize(req.pageSize)
    const page = { retentionMs, limit: limit + 1, offset: req.offset }
    const after = decodeCursor(req.pageToken)
    const rows = await list(ctx, req, subjectOf(call), page, after)
    const places = rows.map(({ deleted_on: created_on, seq }) => ({ created_on, seq }))
    const { nextPageToken } = toPage(places, limit)
    return { deletions: rows.slice(0, limit).map(toDeletion), nextPageToken }
  }
}

async function list(
  { db }: Ctx,
  req: ListDeletionsRequest,
  subject: Subject,
  page: DeletionPage,
  after: Cursor | undefined,
): Promise<Deletion[]> {
  const kind = kindOf(req.type)
  if (kind !== 'organization' && kind !== 'workspace') {
    throw invalid('type', 'must be an organization or a workspace')
  }
  if (!req.id) return listDeletedContainers(db, kind, subject, page, after)
  const id = uuidOrNotFound(req.id, subject, kind)
  const found = await findAccess(db, id, subject)
  authorizeDeletions(found, subject, kind)
  return listDeletedIn(db, kind, id, page, after)
}
