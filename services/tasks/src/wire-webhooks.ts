import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import { NodeType } from '@figbase/proto/catalog'
import {
  WebhookAttemptSchema,
  WebhookDeliverySchema,
  WebhookDeliveryState,
  WebhookSchema,
} from '@figbase/proto/webhooks'
import type { WebhookRow } from './db/schema.js'
import { toFormat, toPayload } from './domain/webhook-fields.js'
import type { DeliveryRow } from './queries/deliveries.js'

export const toWebhook = (row: WebhookRow) =>
  create(WebhookSchema, {
    id: row.id,
    placeId: row.workspace_id ?? row.organization_id ?? '',
    placeType: row.workspace_id ? NodeType.WORKSPACE : NodeType.ORGANIZATION,
    url: row.url,
    events: row.events,
    objectIds: row.object_ids,
    format: toFormat(row.format),
    payload: toPayload(row.payload),
    isActive: row.is_active,
    deactivationReason: row.deactivation_reason,
    failingSince: toTimestampOrNone(row.failing_since),
    createdBy: row.created_by,
    createdOn: toTimestamp(row.created_on),
    updatedOn: toTimestamp(row.updated_on),
    previousSecretUntil: toTimestampOrNone(row.previous_secret_until),
  })

export const toDelivery = (row: DeliveryRow) =>
  create(WebhookDeliverySchema, {
    id: row.id,
    webhookId: row.webhook_id,
    event: row.event,
    state: WebhookDeliveryState[row.state],
    createdOn: toTimestamp(row.created_on),
    attempts: row.attempts,
    lastAttempt: lastAttemptOf(row),
    nextAttemptOn: toTimestampOrNone(row.due_on),
  })

const lastAttemptOf = (row: DeliveryRow) =>
  row.attempted_on === null
    ? undefined
    : create(WebhookAttemptSchema, {
        at: toTimestamp(row.attempted_on),
        durationMs: row.duration_ms ?? 0,
        requestBody: row.body ?? '',
        responseStatus: row.response_status ?? 0,
        responseBody: row.response_body ?? '',
        error: row.error ?? '',
      })
