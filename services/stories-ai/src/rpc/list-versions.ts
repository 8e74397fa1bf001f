import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUpdate } from '../access.js'
import type { Ctx } from '../context.js'
import { listVersions as listRows } from '../queries/versions.js'
import type { Impl } from '../routes.js'
import { toVersion } from '../wire.js'

const newest = 2 ** 31 - 1

export function listVersions(ctx: Ctx): Impl['listVersions'] {
  return async ({ storyId, pageSize: requested, beforeVersion }, call) => {
    await requireUpdate(ctx, storyId, call)
    if (beforeVersion < 0) throw invalid('before_version', 'must not be negative')
    const before = beforeVersion || newest
    const rows = await listRows(ctx.db, storyId, before, pageSize(requested))
    return { versions: rows.map(toVersion) }
  }
}
