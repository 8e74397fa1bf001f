import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, invalid, pageSize, requireUser, toPage } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listReadable } from '../queries/nodes.js'
import { listOrganizations } from '../queries/organizations.js'
import { toNode } from '../wire.js'
import { answerOrganizations } from './answer.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNodes(ctx: Ctx): Impl['listNodes'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const after = decodeCursor(req.pageToken)
    if (kind === 'organization') {
      if (subject.onlyIn) return {}
      const limit = Math.min(pageSize(req.pageSize), organizationsMax(ctx))
      const rows = await listOrganizations(ctx.db, subject.username, limit + 1, after)
      const page = toPage(rows, limit)
      const nodes = await answerOrganizations(ctx.db, page.rows)
      return { nodes, nextPageToken: page.nextPageToken }
    }
    const limit = pageSize(req.pageSize)
    const page = toPage(await listReadable(ctx.db, kind, subject, limit + 1, after), limit)
    return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
  }
}

const logoBytesOnPageMax = 4 * 2 ** 20

/** Their logos must fit in one message. */
const organizationsMax = ({ cfg }: Ctx) =>
  Math.max(1, Math.floor(logoBytesOnPageMax / (cfg.organizationLogoBytesMax + 1)))
