import { created, type Endpoint, endpoint, noContent, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  deliverySchema,
  deliveryShape,
  toFormat,
  toPayload,
  webhookSchema,
  webhookShape,
  webhookWithSecretSchema,
} from '../../shapes/webhook.js'
import { closedBody } from '../body-members.js'
import { members } from './members.js'

const path = '/webhook/:api_id/'
const common = { since: 'v1.4.1', auth: 'required' } as const

const get = endpoint({
  ...common,
  method: 'GET',
  path,
  idempotent: true,
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'The caller needs the permission MANAGE on its place.',
  responses: { 200: webhookSchema },
  async handle({ params, services, call }) {
    const { webhook } = await services.webhooks.getWebhook({ id: params.api_id ?? '' }, call)
    return ok(webhookShape(required(webhook)))
  },
})

const update = endpoint({
  ...common,
  method: 'PATCH',
  path,
  idempotent: true,
  operationId: 'updateWebhook',
  summary: 'Change, activate or deactivate a webhook',
  description:
    'Omitted members keep their values. Deliveries that are pending go on when it is active again.',
  body: closedBody(
    { ...members, url: members.url.optional(), events: members.events.optional() },
    webhookSchema,
  ),
  responses: { 200: webhookSchema },
  async handle({ params, body, services, call }) {
    const { url, events, objects, format, payload, active } = body
    const request = {
      id: params.api_id ?? '',
      ...(url !== undefined && { url }),
      ...(events && { events: { names: events } }),
      ...(objects && { objects: { ids: objects } }),
      ...(format && { format: toFormat(format) }),
      ...(payload && { payload: toPayload(payload) }),
      ...(active !== undefined && { isActive: active }),
    }
    const { webhook } = await services.webhooks.updateWebhook(request, call)
    return ok(webhookShape(required(webhook)))
  },
})

const remove = endpoint({
  ...common,
  method: 'DELETE',
  path,
  idempotent: true,
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook and its deliveries',
  description: 'The caller needs the permission MANAGE on its place.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.webhooks.deleteWebhook({ id: params.api_id ?? '' }, call)
    return noContent
  },
})

const rotate = endpoint({
  ...common,
  method: 'POST',
  path: `${path}rotate_secret/`,
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook a new secret',
  description: 'Only this answer contains it. For a day, deliveries are signed with both secrets.',
  responses: { 200: webhookWithSecretSchema },
  async handle({ params, services, call }) {
    const request = { id: params.api_id ?? '' }
    const { webhook, secret } = await services.webhooks.rotateWebhookSecret(request, call)
    return ok({ ...webhookShape(required(webhook)), secret })
  },
})

const test = endpoint({
  ...common,
  method: 'POST',
  path: `${path}test/`,
  idempotent: false,
  idempotencyKey: 'no effect: it sends one more test',
  operationId: 'testWebhook',
  summary: 'Send a test to a webhook',
  description: 'The event `webhook.test` is sent once. Its delivery says how it went.',
  responses: { 201: deliverySchema },
  async handle({ params, services, call }) {
    const { delivery } = await services.webhooks.testWebhook({ id: params.api_id ?? '' }, call)
    return created(deliveryShape(required(delivery)))
  },
})

export const webhook: Endpoint[] = [get, update, remove, rotate, test]
