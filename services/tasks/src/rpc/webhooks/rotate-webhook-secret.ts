import { seal } from '@figbase/kit/keys'
import type { Ctx } from '../../context.js'
import { newSecret } from '../../domain/webhook-secret.js'
import { unknownWebhook } from '../../errors.js'
import { rotateSecret } from '../../queries/webhooks.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'
import { toWebhook } from '../../wire-webhooks.js'

export function rotateWebhookSecret(ctx: Ctx): WebhooksImpl['rotateWebhookSecret'] {
  return async (req, call) => {
    const { id } = await requireWebhook(ctx, req.id, call)
    const secret = newSecret()
    const sealed = seal(ctx.secretKeys, secret, id)
    const { webhookSecretOverlapMs: overlapMs } = ctx.cfg
    const row = await ctx.write((db) => rotateSecret(db, id, sealed, overlapMs))
    if (!row) throw unknownWebhook()
    return { webhook: toWebhook(row), secret }
  }
}
