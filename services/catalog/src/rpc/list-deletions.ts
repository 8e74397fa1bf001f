import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
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
    const page = { retentionMs, limit: pageSize(req.pageSize), offset: req.offset }
    const rows = await list(ctx, req, subjectOf(call), page)
    return { deletions: rows.map(toDeletion) }
  }
}

async function list(
  { db }: Ctx,
  req: ListDeletionsRequest,
  subject: Subject,
  page: DeletionPage,
): Promise<Deletion[]> {
  const kind = kindOf(req.type)
  if (kind !== 'organization' && kind !== 'workspace') {
    throw invalid('type', 'must be an organization or a workspace')
  }
  if (!req.id) return listDeletedContainers(db, kind, subject, page)
  const id = uuidOrNotFound(req.id, subject, kind)
  const found = await findAccess(db, id, subject)
  authorizeDeletions(found, subject, kind)
  return listDeletedIn(db, kind, id, page)
}
