import type { Ctx } from '../../context.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'
import { toWebhook } from '../../wire-webhooks.js'

export function getWebhook(ctx: Ctx): WebhooksImpl['getWebhook'] {
  return async ({ id }, call) => ({ webhook: toWebhook(await requireWebhook(ctx, id, call)) })
}
