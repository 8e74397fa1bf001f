import { validateAll } from '@figbase/kit/errors'
import { seal } from '@figbase/kit/keys'
import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import {
  branchDefault,
  checkedBranch,
  checkedPatterns,
  checkedSchedule,
  checkedSshKeyId,
  checkedToken,
  checkedUrl,
  nextTime,
} from '../../domain/git-fields.js'
import { gitUnavailable, tooManyRepositories } from '../../errors.js'
import { insertRepository, lockWorkspace } from '../../queries/git-repositories.js'
import { requireTarget, targetTypeOf } from '../../repositories/access.js'
import { requireCredentials } from '../../repositories/credentials.js'
import { planImport } from '../../repositories/plan-import.js'
import { contextOf, newPushSecret } from '../../repositories/secrets.js'
import type { GitImpl } from '../../routes.js'
import { toRepository } from '../../wire-git.js'

export function createGitRepository(ctx: Ctx): GitImpl['createGitRepository'] {
  return async (req, call) => {
    const by = requireUser(call)
    const targetType = targetTypeOf(req.targetType)
    const { targetId, workspaceId } = await requireTarget(ctx, req.targetId, targetType, call)
    const { url, branch, token, sshKeyId, include, exclude, schedule } = validateAll({
      url: () => checkedUrl(req.url),
      branch: () => checkedBranch(req.branch || branchDefault),
      token: () => checkedToken(req.token),
      sshKeyId: () => checkedSshKeyId(req.sshKeyId),
      include: () => checkedPatterns('include', req.include),
      exclude: () => checkedPatterns('exclude', req.exclude),
      schedule: () => checkedSchedule(req.schedule, ctx.cfg.gitImports.scheduleMsMin),
    })
    if (!(await ctx.git.programs())) throw gitUnavailable()
    await requireCredentials(ctx, { url, token, sshKeyId }, call)
    const id = ctx.newId()
    const pushSecret = newPushSecret()
    const nextImportOn = nextTime(schedule)
    const sealed = (column: Parameters<typeof contextOf>[0], secret: string) =>
      seal(ctx.gitKeys, secret, contextOf(column, id))
    const row = await ctx.transact(async (tx) => {
      await lockWorkspace(tx, workspaceId)
      const repository = {
        id,
        target_id: targetId,
        target_type: targetType,
        workspace_id: workspaceId,
        url,
        branch,
        token_sealed: token === '' ? Buffer.alloc(0) : sealed('token_sealed', token),
        ssh_key_id: sshKeyId,
        include,
        exclude,
        schedule,
        next_import_on: nextImportOn,
        push_secret_sealed: sealed('push_secret_sealed', pushSecret),
        created_by: by,
      }
      const inserted = await insertRepository(tx, repository, ctx.cfg.gitImports.repositoriesMax)
      if (inserted) await planImport(ctx, tx, nextImportOn)
      return inserted
    })
    if (!row) throw tooManyRepositories(ctx.cfg.gitImports.repositoriesMax)
    return { repository: toRepository(row, undefined), pushSecret }
  }
}
