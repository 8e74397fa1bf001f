import type { HandlerContext } from '@connectrpc/connect'
import { validateAll } from '@figbase/kit/errors'
import { seal } from '@figbase/kit/keys'
import { forward, requireUser } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../../context.js'
import type { WebhookRow } from '../../db/schema.js'
import {
  checkedEvents,
  checkedFormat,
  checkedObjects,
  checkedPayload,
  checkedUrl,
} from '../../domain/webhook-fields.js'
import { newSecret } from '../../domain/webhook-secret.js'
import { tooManyWebhooks } from '../../errors.js'
import { insertPlaces, insertWebhook, lockPlace } from '../../queries/webhooks.js'
import type { WebhooksImpl } from '../../routes.js'
import { requireManageable } from '../../webhooks/access.js'
import { toWebhook } from '../../wire-webhooks.js'

export function createWebhook(ctx: Ctx): WebhooksImpl['createWebhook'] {
  return async (req, call) => {
    const by = requireUser(call)
    const placeId = await requireManageable(ctx, req.placeId, req.placeType, call)
    const { url, events, object_ids, format, payload } = validateAll({
      url: () => checkedUrl(req.url, ctx.cfg.hostsAllowed),
      events: () => checkedEvents(req.events),
      object_ids: () => checkedObjects(req.objectIds),
      format: () => checkedFormat(req.format) ?? 'json',
      payload: () => checkedPayload(req.payload) ?? 'thin',
    })
    const id = ctx.newId()
    const secret = newSecret()
    const isWorkspace = req.placeType === NodeType.WORKSPACE
    const row = await ctx.transact(async (tx) => {
      await lockPlace(tx, placeId)
      const webhook = {
        id,
        workspace_id: isWorkspace ? placeId : null,
        organization_id: isWorkspace ? null : placeId,
        url,
        secret_sealed: seal(ctx.secretKeys, secret, id),
        events,
        object_ids,
        format,
        payload,
        is_active: req.isActive,
        created_by: by,
      }
      return insertWebhook(tx, webhook, ctx.cfg.webhooksMax)
    })
    if (!row) throw tooManyWebhooks(ctx.cfg.webhooksMax)
    if (!isWorkspace) await storeWorkspaces(ctx, row, placeId, call)
    return { webhook: toWebhook(row), secret }
  }
}

/** Later changes are read from events. */
async function storeWorkspaces(
  ctx: Ctx,
  { created_on }: WebhookRow,
  organizationId: string,
  call: HandlerContext,
) {
  for (let pageToken = ''; ; ) {
    const request = { parentId: organizationId, type: NodeType.WORKSPACE, pageToken }
    const page = await ctx.catalog.listChildren(request, forward(call))
    const ids = page.nodes.map(({ id }) => id)
    if (ids.length > 0) await ctx.write((db) => insertPlaces(db, ids, organizationId, created_on))
    pageToken = page.nextPageToken
    if (!pageToken) return
  }
}
