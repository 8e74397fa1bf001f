import { isUuid } from '@figbase/kit/ids'
import { unseal } from '@figbase/kit/keys'
import type { Ctx } from '../../context.js'
import { isPushOf, isSignedPush } from '../../domain/git-push.js'
import { pushRefused } from '../../errors.js'
import { findRepository } from '../../queries/git-repositories.js'
import { endCancelled } from '../../repositories/end-abandoned.js'
import { contextOf } from '../../repositories/secrets.js'
import { startImport } from '../../repositories/start-import.js'
import type { GitImpl } from '../../routes.js'
import { toImport } from '../../wire-git.js'

/** The same error for a missing repository and for a wrong signature. */
export function receiveGitPush(ctx: Ctx): GitImpl['receiveGitPush'] {
  return async ({ repositoryId, body, headers }) => {
    const repository = isUuid(repositoryId) ? await findRepository(ctx.db, repositoryId) : undefined
    if (!repository) throw pushRefused()
    const context = contextOf('push_secret_sealed', repository.id)
    const secret = unseal(ctx.gitKeys, repository.push_secret_sealed, context)
    if (!isSignedPush(headers, body, secret)) throw pushRefused()
    if (!isPushOf(repository.branch, headers, body)) return {}
    await endCancelled(ctx, [repository.id])
    const row = await ctx.transact((tx) => startImport(ctx, tx, repository, 'PUSH'))
    return row ? { import: toImport(row) } : {}
  }
}
