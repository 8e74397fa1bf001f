import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireUser } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { listNamedAssets } from '../queries/node-lists.js'
import { toNode } from '../wire.js'
import { authorizeAnalysis } from './authorize-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

export function findAssetsByName(ctx: Ctx): Impl['findAssetsByName'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const analysisId =
      req.analysisId === '' ? null : await authorizeAnalysis(ctx, req.analysisId, subject)
    const name = checkedText('name', req.name, { charsMax: ctx.cfg.nameCharsMax })
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const rows = await listNamedAssets(ctx.db, subject, name, analysisId, limit + 1, after)
    const page = toPage(rows, limit)
    return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
  }
}
