import type { Ctx } from '../../context.js'
import { listNewestImports } from '../../queries/git-imports.js'
import { listRepositories } from '../../queries/git-repositories.js'
import { requireTarget, targetTypeOf } from '../../repositories/access.js'
import type { GitImpl } from '../../routes.js'
import { toRepository } from '../../wire-git.js'

/** The setting GIT_REPOSITORIES_MAX may have been higher. */
const rowsMax = 1000

export function listGitRepositories(ctx: Ctx): GitImpl['listGitRepositories'] {
  return async (req, call) => {
    const { targetId } = await requireTarget(ctx, req.targetId, targetTypeOf(req.targetType), call)
    const rows = await listRepositories(ctx.db, targetId, rowsMax)
    const ids = rows.map(({ id }) => id)
    const newest = ids.length > 0 ? await listNewestImports(ctx.db, ids) : []
    const byRepository = new Map(newest.map((one) => [one.repository_id, one]))
    return { repositories: rows.map((row) => toRepository(row, byRepository.get(row.id))) }
  }
}
