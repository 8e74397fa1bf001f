import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listReadable } from '../queries/node-lists.js'
import { listContainers } from '../queries/organizations.js'
import { toNode } from '../wire.js'
import { toOrganizationMessages } from './node-messages.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNodes(ctx: Ctx): Impl['listNodes'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const after = decodeCursor(req.pageToken)
    const isOrganization = kind === 'organization'
    const limit = isOrganization ? organizationPageSize(ctx, req.pageSize) : pageSize(req.pageSize)
    const rows =
      isOrganization || kind === 'workspace'
        ? await listContainers(ctx.db, kind, subject, limit + 1, after)
        : await listReadable(ctx.db, kind, subject, limit + 1, after)
    const page = toPage(rows, limit)
    const nodes = isOrganization
      ? await toOrganizationMessages(ctx.db, page.rows)
      : page.rows.map(toNode)
    return { nodes, nextPageToken: page.nextPageToken }
  }
}

const logoBytesOnPageMax = 4 * 2 ** 20

/** Limits the page so that the logos fit in one message. */
function organizationPageSize({ cfg }: Ctx, requested: number) {
  const max = Math.floor(logoBytesOnPageMax / (cfg.organizationLogoBytesMax + 1))
  return Math.min(pageSize(requested), Math.max(1, max))
}
