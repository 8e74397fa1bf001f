import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { listReadableRoots as listRows } from '../queries/places.js'

type Impl = ServiceImpl<typeof CatalogService>

const recentMax = 1000

export function listReadableRoots({ db }: Ctx): Impl['listReadableRoots'] {
  return async ({ workspaceId }, call) => {
    requireUser(call)
    if (workspaceId && !isUuid(workspaceId)) throw invalid('workspace_id', 'must be a UUID')
    const rows = await listRows(db, subjectOf(call), workspaceId || null, recentMax)
    return {
      rootIds: rows.filter((row) => row.is_root).map(({ id }) => id),
      recentlyPlacedIds: [...new Set(rows.filter((row) => row.is_recent).map(({ id }) => id))],
    }
  }
}
