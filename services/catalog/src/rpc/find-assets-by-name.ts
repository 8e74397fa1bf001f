import type { ServiceImpl } from '@connectrpc/connect'
import {
  checkedText,
  decodeCursor,
  invalid,
  isUuid,
  pageSize,
  requireUser,
  toPage,
} from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { findAccess, listNamedAssets } from '../queries/nodes.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function findAssetsByName(ctx: Ctx): Impl['findAssetsByName'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const analysisId = req.analysisId === '' ? null : await viewable(ctx, req.analysisId, subject)
    const name = checkedText('name', req.name, { charsMax: ctx.cfg.nameCharsMax })
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const rows = await listNamedAssets(ctx.db, subject, name, analysisId, limit + 1, after)
    const page = toPage(rows, limit)
    return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
  }
}

async function viewable({ db }: Ctx, analysisId: string, subject: Subject) {
  if (!isUuid(analysisId)) throw invalid('analysis', 'must be a UUID')
  const found = await findAccess(db, analysisId, subject)
  if (found?.type !== 'analysis') throw invalid('analysis', 'does not exist')
  return authorize(found, Permission.VIEW, subject).id
}
