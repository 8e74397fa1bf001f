import type { Ctx } from '../../context.js'
import { listWebhooks as listRows } from '../../queries/webhooks.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireManageable } from '../../webhooks/access.js'
import { toWebhook } from '../../wire-webhooks.js'

/** The setting WEBHOOKS_MAX may have been higher. */
const rowsMax = 1000

export function listWebhooks(ctx: Ctx): WebhooksImpl['listWebhooks'] {
  return async ({ placeId, placeType }, call) => {
    const id = await requireManageable(ctx, placeId, placeType, call)
    return { webhooks: (await listRows(ctx.db, id, rowsMax)).map(toWebhook) }
  }
}
