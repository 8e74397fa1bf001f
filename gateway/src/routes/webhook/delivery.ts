import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { deliverySchema, deliveryShape } from '../../shapes/webhook.js'
import { listEndpoint } from '../list.js'

const list = listEndpoint({
  path: '/webhook/:api_id/delivery/',
  since: 'v1.4.1',
  auth: 'required',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The newest comes first. They are kept for two weeks.',
  item: deliverySchema,
  async readPage({ params, services, call }, page) {
    const request = { webhookId: params.api_id ?? '', ...page }
    const answer = await services.webhooks.listWebhookDeliveries(request, call)
    return { items: answer.deliveries.map(deliveryShape), nextPageToken: answer.nextPageToken }
  },
})

const redeliver = endpoint({
  method: 'POST',
  path: '/webhook_delivery/:api_id/redeliver/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it is sent again with the same id',
  operationId: 'redeliverWebhookDelivery',
  summary: 'Send a delivery of a webhook again',
  description: 'It has the same id and body.',
  responses: { 200: deliverySchema },
  errors: { 409: ['webhook_inactive'] },
  async handle({ params, services, call }) {
    const request = { id: params.api_id ?? '' }
    const { delivery } = await services.webhooks.redeliverWebhookDelivery(request, call)
    return ok(deliveryShape(required(delivery)))
  },
})

export const deliveries: Endpoint[] = [list, redeliver]
