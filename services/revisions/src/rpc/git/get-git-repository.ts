import type { Ctx } from '../../context.js'
import { listNewestImports } from '../../queries/git-imports.js'
import { requireRepository } from '../../repositories/access.js'
import type { GitImpl } from '../../routes.js'
import { toRepository } from '../../wire-git.js'

export function getGitRepository(ctx: Ctx): GitImpl['getGitRepository'] {
  return async ({ id }, call) => {
    const { repository } = await requireRepository(ctx, id, call)
    const [newest] = await listNewestImports(ctx.db, [repository.id])
    return { repository: toRepository(repository, newest) }
  }
}
