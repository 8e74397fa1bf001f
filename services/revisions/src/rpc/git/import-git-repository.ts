import type { Ctx } from '../../context.js'
import { gitUnavailable, unknownRepository } from '../../errors.js'
import { requireRepository } from '../../repositories/access.js'
import { endCancelled } from '../../repositories/end-abandoned.js'
import { startImport } from '../../repositories/start-import.js'
import type { GitImpl } from '../../routes.js'
import { toImport } from '../../wire-git.js'

export function importGitRepository(ctx: Ctx): GitImpl['importGitRepository'] {
  return async (req, call) => {
    const { repository } = await requireRepository(ctx, req.id, call)
    if (!(await ctx.git.programs())) throw gitUnavailable()
    await endCancelled(ctx, [repository.id])
    const row = await ctx.transact((tx) => startImport(ctx, tx, repository, 'USER'))
    if (!row) throw unknownRepository()
    return { import: toImport(row) }
  }
}
