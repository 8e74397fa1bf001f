import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, invalid, pageSize, requireUser, toPage } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listReadable } from '../queries/node-lists.js'
import { listContainers } from '../queries/organizations.js'
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
    const isOrganization = kind === 'organization'
    const limit = isOrganization ? organizationsIn(ctx, req.pageSize) : pageSize(req.pageSize)
    const rows =
      isOrganization || kind === 'workspace'
        ? await listContainers(ctx.db, kind, subject, limit + 1, after)
        : await listReadable(ctx.db, kind, subject, limit + 1, after)
    const page = toPage(rows, limit)
    const nodes = isOrganization
      ? await answerOrganizations(ctx.db, page.rows)
      : page.rows.map(toNode)
    return { nodes, nextPageToken: page.nextPageToken }
  }
}

const logoBytesOnPageMax = 4 * 2 ** 20

/** Their logos must fit in one message. */
function organizationsIn({ cfg }: Ctx, requested: number) {
  const max = Math.floor(logoBytesOnPageMax / (cfg.organizationLogoBytesMax + 1))
  return Math.min(pageSize(requested), Math.max(1, max))
}
