import { Code, type HandlerContext } from '@connectrpc/connect'
import { denied, hasCode, unauthenticated } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, hasKeyAccess, principal } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { Ctx } from './context.js'
import { instanceNotFound } from './errors.js'
import { findInstance, type InstanceRow } from './queries/instances.js'

/** A member of a workspace, as far as it matters to instances. */
export type Member = {
  username: string
  workspaceId: string
  /** May launch instances, and operate their own. */
  canCreate: boolean
  /** May operate and terminate all instances. */
  canManage: boolean
}

/** 404 and 403 as for the workspace itself, if the caller is no member. */
export async function requireMember(
  { catalog }: Pick<Ctx, 'catalog'>,
  workspaceId: string,
  call: HandlerContext,
): Promise<Member> {
  const request = {
    id: workspaceId,
    type: NodeType.WORKSPACE,
    permission: Permission.VIEW,
    withPermissions: true,
  }
  const { permissions } = await catalog.checkAccess(request, forward(call))
  const caller = principal(call)
  // Keys with less access change no instance: such a key is in every notebook.
  const isFull = hasKeyAccess(caller, ApiKeyAccess.FULL)
  return {
    username: caller.username,
    workspaceId: workspaceId.toLowerCase(),
    canCreate: isFull && permissions.includes(Permission.CREATE),
    canManage: isFull && permissions.includes(Permission.MANAGE),
  }
}

export type Rights = { canOperate: boolean; canConnect: boolean; canTerminate: boolean }

/** Only the owner may connect: an instance acts in their name. */
export function rightsOn(instance: Owned, member: Member): Rights {
  const isOver = instance.desired === 'terminated'
  const canOperate = !isOver && mayOperate(instance, member)
  return { canOperate, canConnect: !isOver && isOwner(instance, member), canTerminate: canOperate }
}

type Owned = Pick<InstanceRow, 'owner' | 'desired'>

/** Whether the instance is the member's own, who may still create in the workspace. */
export const isOwner = (
  { owner }: Pick<InstanceRow, 'owner'>,
  { username, canCreate }: Member,
): boolean => canCreate && owner.toLowerCase() === username.toLowerCase()

const mayOperate = (instance: Owned, member: Member) =>
  isOwner(instance, member) || member.canManage

export type Found = { instance: InstanceRow; member: Member }

/** An instance of a workspace of the caller. The same error for a missing one and for one of another workspace. */
export async function requireInstance(ctx: Ctx, id: string, call: HandlerContext): Promise<Found> {
  const instance = isUuid(id) ? await findInstance(ctx.db, id) : undefined
  if (!principal(call).username) throw unauthenticated('not_authenticated', 'sign in first')
  if (!instance) throw instanceNotFound()
  const member = await requireMember(ctx, instance.workspace_id, call).catch((error: unknown) => {
    const isRefused = hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)
    throw isRefused ? instanceNotFound() : error
  })
  return { instance, member }
}

/** As requireInstance, for the owner and managers. */
export async function requireOperable(ctx: Ctx, id: string, call: HandlerContext): Promise<Found> {
  const found = await requireInstance(ctx, id, call)
  if (!mayOperate(found.instance, found.member)) throw denied(Permission[Permission.MANAGE])
  return found
}
