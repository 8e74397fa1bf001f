import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import type { Ctx } from '../../context.js'
import { listImports } from '../../queries/git-imports.js'
import { requireRepository } from '../../repositories/access.js'
import type { GitImpl } from '../../routes.js'
import { toImport } from '../../wire-git.js'

export function listGitImports(ctx: Ctx): GitImpl['listGitImports'] {
  return async (req, call) => {
    const { repository } = await requireRepository(ctx, req.repositoryId, call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listImports(ctx.db, repository.id, limit + 1, after), limit)
    return { imports: page.rows.map(toImport), nextPageToken: page.nextPageToken }
  }
}
