import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { linksNotAllowed } from '../errors.js'
import { deleteGrant, insertGrant } from '../queries/grants.js'
import { findLink } from '../queries/links.js'
import { authorizeShareable } from './authorize-shareable.js'

type Impl = ServiceImpl<typeof CatalogService>

/** The subject of a link grant; it is not a valid username. */
const everybody = ''

export function setLinkShare(ctx: Ctx): Impl['setLinkShare'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const { username: by } = subject
    const { id } = await authorizeShareable(ctx.db, req, subject)
    const link = { subject: everybody, nodeId: id, kind: 'link', role: 'viewer', by } as const
    if (!req.enabled) {
      await ctx.write((db) => deleteGrant(db, id, 'link', everybody))
      return {}
    }
    const { is_allowed } = await findLink(ctx.db, id)
    if (!is_allowed) throw linksNotAllowed()
    await ctx.write((db) => insertGrant(db, link))
    return {}
  }
}
