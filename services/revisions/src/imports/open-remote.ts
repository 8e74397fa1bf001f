import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { unseal } from '@figbase/kit/keys'
import { actAs, user } from '@figbase/kit/rpc'
import { TaskFailed } from '@figbase/kit/tasks'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow } from '../db/schema.js'
import { openRepository } from '../git/open-repository.js'
import type { Repository } from '../git/repository.js'
import { nodeTypeOf } from '../repositories/access.js'
import { contextOf } from '../repositories/secrets.js'

const timeoutMs = 10_000

/** What a call on behalf of the user who registered the repository needs. */
export const asOwner = (
  { created_by }: Pick<GitRepositoryRow, 'created_by'>,
  signal: AbortSignal,
) => ({
  ...actAs(user(created_by)),
  timeoutMs,
  signal,
})

/** The workspace of the target. Fails if the user who registered the repository may no longer create figures there. */
export async function openTarget(
  { catalog }: Pick<Ctx, 'catalog'>,
  row: GitRepositoryRow,
  signal: AbortSignal,
): Promise<{ workspaceId: string }> {
  const { target_id: id, target_type, created_by } = row
  const request = { id, type: nodeTypeOf(target_type), permission: Permission.CREATE }
  try {
    const { workspaceId } = await catalog.checkAccess(request, asOwner(row, signal))
    return { workspaceId }
  } catch (error) {
    if (hasCode(error, Code.NotFound)) throw new TaskFailed(`the ${target_type} has been deleted`)
    if (hasCode(error, Code.PermissionDenied))
      throw new TaskFailed(
        `${created_by}, who registered the repository, may no longer create figures in this ${target_type}`,
      )
    throw error
  }
}

/** Fetches a repository with the credentials of its registration. */
export async function openRemote(
  ctx: Pick<Ctx, 'git' | 'gitKeys' | 'sshKeys'>,
  row: GitRepositoryRow,
  signal: AbortSignal,
): Promise<Repository> {
  const { id, url, branch, token_sealed: sealed, host_keys } = row
  const remote = {
    url,
    branch,
    token:
      sealed.length > 0 ? unseal(ctx.gitKeys, sealed, contextOf('token_sealed', id)) : undefined,
    privateKey: await openSshKey(ctx, row, signal),
    hostKeys: host_keys || undefined,
  }
  return openRepository(ctx.git, remote, signal)
}

async function openSshKey(
  { sshKeys }: Pick<Ctx, 'sshKeys'>,
  row: GitRepositoryRow,
  signal: AbortSignal,
) {
  if (row.ssh_key_id === null) return undefined
  try {
    const { privateKey } = await sshKeys.openSshKey({ id: row.ssh_key_id }, asOwner(row, signal))
    return privateKey
  } catch (error) {
    if (!hasCode(error, Code.NotFound)) throw error
    throw new TaskFailed('the SSH key of the repository has been deleted: choose another one')
  }
}
