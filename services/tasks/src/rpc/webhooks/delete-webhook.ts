import type { Ctx } from '../../context.js'
import { deleteWebhook as deleteRow } from '../../queries/webhooks.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'

export function deleteWebhook(ctx: Ctx): WebhooksImpl['deleteWebhook'] {
  return async (req, call) => {
    const { id } = await requireWebhook(ctx, req.id, call)
    await ctx.write((db) => deleteRow(db, id))
    return {}
  }
}
