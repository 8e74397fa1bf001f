import type { Agent } from 'node:http'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { delayAfter } from '@figbase/kit/events'
import { type KeyRing, unseal } from '@figbase/kit/keys'
import type { Ctx } from '../context.js'
import { bodyOf, type FullObject } from '../domain/webhook-body.js'
import { signedHeaders } from '../domain/webhook-secret.js'
import { type Claimed, recordAttempt } from '../queries/deliveries.js'
import { deactivate } from './deactivate.js'
import { type Posted, post } from './post.js'
import { contentOf, describedBy, isInPlace, nameOf, type Objects } from './read-objects.js'

export type AttemptCtx = Parameters<typeof deactivate>[0] &
  Pick<Ctx, 'write' | 'cfg'> & { secretKeys: KeyRing; agentOf(url: string): Agent }

/** Sent once, and says nothing about the receiver. */
export const testEvent = 'webhook.test'

const goneStatus = 410

/** Sends a delivery, records the outcome, and deactivates a webhook that has failed for too long. */
export async function attempt(
  ctx: AttemptCtx,
  one: Claimed,
  objects: Objects,
  signal: AbortSignal,
): Promise<void> {
  const { cfg } = ctx
  if (!isInPlace(one, objects)) {
    const error = 'not sent: the object is no longer here'
    await record(ctx, one, { state: 'FAILED', delayMs: 0, counts: false, body: null, error })
    return
  }
  const body = one.body ?? bodyOf(optionsOf(ctx, one, objects))
  const posted = await post(one.url, headersOf(ctx, one, body), body, {
    agentOf: ctx.agentOf,
    timeoutMs: cfg.webhookTimeoutMs,
    responseBytesMax: cfg.webhookResponseBytesMax,
    signal,
  })
  const isTest = one.event === testEvent
  const next = nextOf(cfg, one, posted, isTest)
  const failingMs = await record(ctx, one, { ...next, counts: !isTest, body, ...posted })
  if (isTest || posted.error === undefined) return
  if (posted.status === goneStatus) await deactivate(ctx, one, 'gone', signal)
  else if (failingMs >= cfg.webhookRetryPeriodMs) await deactivate(ctx, one, 'failing', signal)
}

type Next = { state: 'PENDING' | 'DELIVERED' | 'FAILED'; delayMs: number }

/** After a success or a failure that is final, the next delivery of the object follows at once. */
function nextOf(cfg: Ctx['cfg'], one: Claimed, { error }: Posted, isTest: boolean): Next {
  if (error === undefined) return { state: 'DELIVERED', delayMs: 0 }
  const ageMs = Date.now() - Date.parse(one.created_on)
  if (isTest || ageMs >= cfg.webhookRetryPeriodMs) return { state: 'FAILED', delayMs: 0 }
  const { webhookRetryDelayMinMs: delayMinMs, webhookRetryDelayMaxMs: delayMaxMs } = cfg
  return { state: 'PENDING', delayMs: delayAfter(one.attempts + 1, { delayMinMs, delayMaxMs }) }
}

type Recorded = Next & { counts: boolean; body: string | null } & Partial<Posted>

const record = ({ write }: AttemptCtx, one: Claimed, outcome: Recorded) =>
  write((db) =>
    recordAttempt(db, {
      deliveryId: one.delivery_id ?? '',
      webhookId: one.webhook_id,
      objectId: one.object_id,
      leasedUntil: one.leased_until,
      state: outcome.state,
      delayMs: outcome.delayMs,
      counts: outcome.counts,
      body: outcome.body,
      durationMs: outcome.durationMs ?? null,
      responseStatus: outcome.status ?? null,
      responseBody: outcome.responseBody ?? null,
      error: outcome.error ?? null,
    }),
  )

function headersOf({ secretKeys }: AttemptCtx, one: Claimed, body: string) {
  const sealed = [one.secret_sealed, ...(one.is_overlapping ? [one.previous_secret_sealed] : [])]
  const secrets = sealed.map((value) => unseal(secretKeys, value, one.webhook_id))
  const seconds = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Figbase-Webhooks',
    ...signedHeaders(one.delivery_id ?? '', seconds, body, secrets),
  }
}

function optionsOf({ cfg }: AttemptCtx, one: Claimed, objects: Objects) {
  const { event, data, format, payload } = one
  const node = describedBy(one, objects)
  const object: FullObject | undefined = node && {
    name: nameOf(node, objects),
    description: node.description ?? null,
    created_by: node.createdBy,
    created_on: node.createdOn ? timestampDate(node.createdOn).toISOString() : null,
    updated_by: node.updatedBy ?? null,
    updated_on: node.updatedOn ? timestampDate(node.updatedOn).toISOString() : null,
  }
  const content = contentOf(one, objects)
  return { event, data, object, content, format, payload, baseUrl: cfg.baseUrl }
}
