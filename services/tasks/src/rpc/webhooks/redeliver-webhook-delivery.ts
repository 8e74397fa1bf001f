import type { Ctx } from '../../context.js'
import { inactiveWebhook, unknownWebhook } from '../../errors.js'
import { requeueDelivery } from '../../queries/deliveries.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireDelivery } from '../../webhooks/access.js'
import { toDelivery } from '../../wire-webhooks.js'

export function redeliverWebhookDelivery(ctx: Ctx): WebhooksImpl['redeliverWebhookDelivery'] {
  return async (req, call) => {
    const { delivery, webhook } = await requireDelivery(ctx, req.id, call)
    if (!webhook.is_active) throw inactiveWebhook()
    const row = await ctx.write((db) => requeueDelivery(db, delivery.id))
    if (!row) throw unknownWebhook()
    ctx.announceDeliveries()
    return { delivery: toDelivery(row) }
  }
}
