import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { findLink } from '../queries/links.js'
import { authorizeShareable } from './authorize-shareable.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getLinkShare(ctx: Ctx): Impl['getLinkShare'] {
  return async (req, call) => {
    const { id } = await authorizeShareable(ctx.db, req, subjectOf(call))
    const { is_allowed, is_enabled } = await findLink(ctx.db, id)
    return { enabled: is_allowed && is_enabled }
  }
}
