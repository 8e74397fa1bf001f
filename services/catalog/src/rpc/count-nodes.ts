import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { countVisible, isCounted } from '../queries/visible-counts.js'

type Impl = ServiceImpl<typeof CatalogService>

export function countNodes(ctx: Ctx): Impl['countNodes'] {
  return async (req, call) => {
    requireUser(call)
    const kind = kindOf(req.type)
    if (!isCounted(kind)) throw invalid('type', 'must not be a type of revisions')
    return { count: await countVisible(ctx.db, kind, subjectOf(call)) }
  }
}
