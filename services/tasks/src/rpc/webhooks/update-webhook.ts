import { validateAll } from '@figbase/kit/errors'
import type { Ctx } from '../../context.js'
import {
  checkedEvents,
  checkedFormat,
  checkedObjects,
  checkedPayload,
  checkedUrl,
} from '../../domain/webhook-fields.js'
import { unknownWebhook } from '../../errors.js'
import { updateWebhook as updateRow } from '../../queries/webhooks.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireWebhook } from '../../webhooks/access.js'
import { toWebhook } from '../../wire-webhooks.js'

export function updateWebhook(ctx: Ctx): WebhooksImpl['updateWebhook'] {
  return async (req, call) => {
    const { id } = await requireWebhook(ctx, req.id, call)
    const changes = validateAll({
      url: () => (req.url === undefined ? null : checkedUrl(req.url, ctx.cfg.hostsAllowed)),
      events: () => (req.events ? checkedEvents(req.events.names) : null),
      objectIds: () => (req.objects ? checkedObjects(req.objects.ids) : null),
      format: () => checkedFormat(req.format) ?? null,
      payload: () => checkedPayload(req.payload) ?? null,
    })
    const isActive = req.isActive ?? null
    const row = await ctx.write((db) => updateRow(db, id, { ...changes, isActive }))
    if (!row) throw unknownWebhook()
    if (isActive) ctx.announceDeliveries()
    return { webhook: toWebhook(row) }
  }
}
