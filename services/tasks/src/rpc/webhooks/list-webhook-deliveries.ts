import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import type { Ctx } from '../../context.js'
import { listDeliveries } from '../../queries/deliveries.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'
import { toDelivery } from '../../wire-webhooks.js'

export function listWebhookDeliveries(ctx: Ctx): WebhooksImpl['listWebhookDeliveries'] {
  return async (req, call) => {
    const { id } = await requireWebhook(ctx, req.webhookId, call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listDeliveries(ctx.db, id, limit + 1, after), limit)
    return { deliveries: page.rows.map(toDelivery), nextPageToken: page.nextPageToken }
  }
}
