import { requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import type { EventData } from '../../domain/webhook-events.js'
import { insertDelivery } from '../../queries/deliveries.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'
import { testEvent } from '../../webhooks/attempt.js'
import { toDelivery } from '../../wire-webhooks.js'

export function testWebhook(ctx: Ctx): WebhooksImpl['testWebhook'] {
  return async (req, call) => {
    const { id, workspace_id, organization_id } = await requireWebhook(ctx, req.id, call)
    const data: EventData = {
      at: new Date().toISOString(),
      actor: requireUser(call),
      object: workspace_id
        ? { id: workspace_id, type: 'workspace' }
        : { id: organization_id ?? '', type: 'organization' },
    }
    const row = await ctx.write((db) => insertDelivery(db, id, testEvent, data))
    ctx.announceDeliveries()
    return { delivery: toDelivery(row) }
  }
}
