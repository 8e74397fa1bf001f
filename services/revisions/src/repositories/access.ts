import { Code, type HandlerContext } from '@connectrpc/connect'
import { denied, hasCode, unauthenticated } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, principal } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow, GitTargetType } from '../db/schema.js'
import { notATarget, unknownRepository } from '../errors.js'
import { findRepository } from '../queries/git-repositories.js'

const targetTypes: Record<GitTargetType, NodeType> = {
  analysis: NodeType.ANALYSIS,
  workspace: NodeType.WORKSPACE,
}

export const nodeTypeOf = (type: GitTargetType): NodeType => targetTypes[type]

export const targetTypeOf = (type: NodeType): GitTargetType => {
  if (type === NodeType.ANALYSIS) return 'analysis'
  if (type === NodeType.WORKSPACE) return 'workspace'
  throw notATarget()
}

type AccessCtx = Pick<Ctx, 'db' | 'catalog'>

/** The errors are those of the target. */
export async function requireTarget(
  { catalog }: Pick<Ctx, 'catalog'>,
  id: string,
  type: GitTargetType,
  call: HandlerContext,
): Promise<{ targetId: string; workspaceId: string; isManager: boolean }> {
  const request = {
    ...{ id, type: nodeTypeOf(type), permission: Permission.CREATE },
    withPermissions: true,
  }
  const { workspaceId, permissions } = await catalog.checkAccess(request, forward(call))
  const isManager = permissions.includes(Permission.MANAGE)
  return { targetId: id.toLowerCase(), workspaceId, isManager }
}

/** The same error for a missing repository and for one of a target that the caller may not view. */
export async function requireRepository(
  ctx: AccessCtx,
  id: string,
  call: HandlerContext,
): Promise<{ repository: GitRepositoryRow; isOwner: boolean; isManager: boolean }> {
  const repository = isUuid(id) ? await findRepository(ctx.db, id) : undefined
  const { username } = principal(call)
  if (!username) throw unauthenticated('not_authenticated', 'sign in first')
  if (!repository) throw unknownRepository()
  const { target_id, target_type, created_by } = repository
  const { isManager } = await requireTarget(ctx, target_id, target_type, call).catch(
    (error: unknown) => {
      throw hasCode(error, Code.NotFound) ? unknownRepository() : error
    },
  )
  return { repository, isOwner: created_by === username, isManager }
}

/** Others could send the token, or use the SSH key, of the user who registered it. */
export async function requireOwned(
  ctx: AccessCtx,
  id: string,
  call: HandlerContext,
): Promise<GitRepositoryRow> {
  const { repository, isOwner } = await requireRepository(ctx, id, call)
  if (!isOwner) throw denied('OWNER')
  return repository
}
