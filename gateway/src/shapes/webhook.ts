import { NodeType } from '@figbase/proto/catalog'
import {
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryState,
  WebhookFormat,
  WebhookPayload,
} from '@figbase/proto/webhooks'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

export const formatSchema = z.enum(['json', 'slack', 'mattermost', 'teams'])
export const payloadSchema = z.enum(['thin', 'full'])

export const webhookSchema = z
  .object({
    api_id: uuid,
    workspace: uuid.nullable(),
    organization: uuid.nullable(),
    url: z.string().meta({ format: 'uri' }),
    events: z.array(z.string()),
    objects: z.array(uuid),
    format: formatSchema.meta({
      description: '`json` is the form of Standard Webhooks, the others are messages for chats.',
    }),
    payload: payloadSchema,
    active: z.boolean(),
    deactivation_reason: z.enum(['failing', 'gone']).nullable().meta({
      description: 'Why Figbase deactivated it: it failed for days, or answered with 410.',
    }),
    failing_since: datetime.nullable(),
    previous_secret_until: datetime
      .nullable()
      .meta({ description: 'Until then, deliveries are signed with the previous secret, too.' }),
    created_by: z.string(),
    created_on: datetime,
    updated_on: datetime,
  })
  .meta({ id: 'Webhook', description: 'An address to which Figbase sends events.' })

export const webhookWithSecretSchema = webhookSchema
  .extend({ secret: z.string() })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret.', base: 'Webhook' })

const attemptSchema = z.object({
  timestamp: datetime,
  duration_ms: z.int(),
  request_body: z.string(),
  response_status: z.int().nullable(),
  response_body: z.string().meta({ description: 'The beginning of the response.' }),
  error: z.string().nullable(),
})

export const deliverySchema = z
  .object({
    api_id: uuid.meta({ description: 'Sent as `webhook-id`.' }),
    webhook: uuid,
    event: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    created_on: datetime,
    attempts: z.int(),
    last_attempt: attemptSchema.nullable(),
    next_attempt_on: datetime.nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event that is sent to a webhook.' })

export const webhookShape = (webhook: Webhook) => ({
  api_id: webhook.id,
  workspace: webhook.placeType === NodeType.WORKSPACE ? webhook.placeId : null,
  organization: webhook.placeType === NodeType.ORGANIZATION ? webhook.placeId : null,
  url: webhook.url,
  events: webhook.events,
  objects: webhook.objectIds,
  format: WebhookFormat[webhook.format]?.toLowerCase(),
  payload: WebhookPayload[webhook.payload]?.toLowerCase(),
  active: webhook.isActive,
  deactivation_reason: webhook.deactivationReason || null,
  failing_since: isoOrNull(webhook.failingSince),
  previous_secret_until: isoOrNull(webhook.previousSecretUntil),
  created_by: webhook.createdBy,
  created_on: isoOrNull(webhook.createdOn),
  updated_on: isoOrNull(webhook.updatedOn),
})

export const deliveryShape = (delivery: WebhookDelivery) => ({
  api_id: delivery.id,
  webhook: delivery.webhookId,
  event: delivery.event,
  status: WebhookDeliveryState[delivery.state]?.toLowerCase(),
  created_on: isoOrNull(delivery.createdOn),
  attempts: delivery.attempts,
  last_attempt: attemptShape(delivery),
  next_attempt_on: isoOrNull(delivery.nextAttemptOn),
})

const attemptShape = ({ lastAttempt: attempt }: WebhookDelivery) =>
  attempt
    ? {
        timestamp: isoOrNull(attempt.at),
        duration_ms: attempt.durationMs,
        request_body: attempt.requestBody,
        response_status: attempt.responseStatus || null,
        response_body: attempt.responseBody,
        error: attempt.error || null,
      }
    : null

export const toFormat = (name: z.infer<typeof formatSchema>): WebhookFormat =>
  WebhookFormat[name.toUpperCase() as keyof typeof WebhookFormat]

export const toPayload = (name: z.infer<typeof payloadSchema>): WebhookPayload =>
  WebhookPayload[name.toUpperCase() as keyof typeof WebhookPayload]
