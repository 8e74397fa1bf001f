import { denied } from '@figbase/kit/errors'
import type { Ctx } from '../../context.js'
import { deleteRepository } from '../../queries/git-repositories.js'
import { requireRepository } from '../../repositories/access.js'
import type { GitImpl } from '../../routes.js'

export function deleteGitRepository(ctx: Ctx): GitImpl['deleteGitRepository'] {
  return async (req, call) => {
    const { repository, isOwner, isManager } = await requireRepository(ctx, req.id, call)
    if (!isOwner && !isManager) throw denied('MANAGE')
    await ctx.write((db) => deleteRepository(db, repository.id))
    return {}
  }
}
