import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, unauthenticated } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, principal } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { WebhookRow } from '../db/schema.js'
import { notAPlace, unknownWebhook } from '../errors.js'
import { type DeliveryRow, findDelivery } from '../queries/deliveries.js'
import { findWebhook } from '../queries/webhooks.js'

type AccessCtx = Pick<Ctx, 'db' | 'catalog'>

const placeTypes = [NodeType.WORKSPACE, NodeType.ORGANIZATION]

/** The errors are those of the place. Returns its id as stored. */
export async function requireManageable(
  { catalog }: Pick<Ctx, 'catalog'>,
  id: string,
  type: NodeType,
  call: HandlerContext,
): Promise<string> {
  if (!placeTypes.includes(type)) throw notAPlace()
  await catalog.checkAccess({ id, type, permission: Permission.MANAGE }, forward(call))
  return id.toLowerCase()
}

/** The same error for a missing webhook and for one of a place that the caller may not view. */
export async function requireWebhook(
  ctx: AccessCtx,
  id: string,
  call: HandlerContext,
): Promise<WebhookRow> {
  const webhook = isUuid(id) ? await findWebhook(ctx.db, id) : undefined
  if (!principal(call).username) throw unauthenticated('not_authenticated', 'sign in first')
  if (!webhook) throw unknownWebhook()
  const { workspace_id, organization_id } = webhook
  const type = workspace_id ? NodeType.WORKSPACE : NodeType.ORGANIZATION
  await requireManageable(ctx, workspace_id ?? organization_id ?? '', type, call).catch(
    (error: unknown) => {
      throw hasCode(error, Code.NotFound) ? unknownWebhook() : error
    },
  )
  return webhook
}

export async function requireDelivery(
  ctx: AccessCtx,
  id: string,
  call: HandlerContext,
): Promise<{ delivery: DeliveryRow; webhook: WebhookRow }> {
  const delivery = isUuid(id) ? await findDelivery(ctx.db, id) : undefined
  const webhook = await requireWebhook(ctx, delivery?.webhook_id ?? '', call)
  if (!delivery) throw unknownWebhook()
  return { delivery, webhook }
}
