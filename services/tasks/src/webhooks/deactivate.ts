import { actAsSystem } from '@figbase/kit/rpc'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import type { WebhookRow } from '../db/schema.js'
import { type DeactivationReason, webhookDeactivatedMail } from '../mail/webhook-deactivated.js'
import type { Claimed } from '../queries/deliveries.js'
import { deactivateWebhook, findWebhook } from '../queries/webhooks.js'

export type DeactivateCtx = Pick<
  Ctx,
  'db' | 'transact' | 'sendMail' | 'accounts' | 'catalog' | 'readSite' | 'cfg'
>

const callTimeoutMs = 10_000

/**
 * Deactivates the webhook of an attempt, and mails who created it if they may still view its place. Does nothing if it was
 * changed since the attempt began: somebody may have activated it again.
 */
export async function deactivate(
  ctx: DeactivateCtx,
  { webhook_id: id, webhook_updated_on: updatedOn }: Claimed,
  reason: DeactivationReason,
  signal: AbortSignal,
): Promise<void> {
  const webhook = await findWebhook(ctx.db, id)
  if (!webhook?.is_active) return
  const recipient = await recipientOf(ctx, webhook, signal)
  const frame = { site: await ctx.readSite(), language: recipient?.mailLanguage ?? '' }
  const content = webhookDeactivatedMail(frame, {
    receiver: new URL(webhook.url).host,
    place: webhook.workspace_id ? 'workspace' : 'organization',
    reason,
    url: `${ctx.cfg.baseUrl}/webhook/${id}/`,
  })
  await ctx.transact(async (tx) => {
    if (!(await deactivateWebhook(tx, id, updatedOn, reason)) || !recipient) return
    await ctx.sendMail(tx, { ...content, to: { address: recipient.email } })
  })
}

async function recipientOf(
  { accounts, catalog }: DeactivateCtx,
  { created_by, workspace_id, organization_id }: WebhookRow,
  signal: AbortSignal,
): Promise<Recipient | undefined> {
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const { recipients } = await accounts.listRecipients({ usernames: [created_by] }, call)
  const [recipient] = recipients
  const placeId = workspace_id ?? organization_id
  if (!recipient || !placeId) return undefined
  const request = { nodeIds: [placeId], usernames: [recipient.username] }
  const { nodes } = await catalog.listViewers(request, call)
  return nodes.some(({ usernames }) => usernames.length > 0) ? recipient : undefined
}
