import { Permission } from '@figbase/proto/catalog'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  toFormat,
  toPayload,
  webhookSchema,
  webhookShape,
  webhookWithSecretSchema,
} from '../../shapes/webhook.js'
import { closedBody } from '../body-members.js'
import { listEndpoint, pageOf } from '../list.js'
import { nounOf } from '../nouns.js'
import { planResources } from '../plan/subscriptions.js'
import { members } from './members.js'

type Place = (typeof planResources)[number]

const list = ({ segment, type }: Place) =>
  listEndpoint({
    path: `/${segment}/:id/webhook/`,
    since: 'v1.4.1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}Webhooks`,
    summary: `List the webhooks of ${nounOf(segment).a}`,
    description: 'The caller needs the permission MANAGE. The oldest comes first.',
    item: webhookSchema,
    // At most WEBHOOKS_MAX.
    isShort: true,
    async readPage({ params, services, call }, page) {
      const request = { placeId: params.id ?? '', placeType: type }
      const { webhooks } = await services.webhooks.listWebhooks(request, call)
      return pageOf(webhooks.map(webhookShape), ({ api_id }) => api_id, page)
    },
  })

const create = ({ segment, type }: Place) =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/webhook/`,
    since: 'v1.4.1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'secret',
    operationId: `create${nounOf(segment).idPart}Webhook`,
    summary: `Send events of ${nounOf(segment).a} to an address`,
    description: 'The caller needs the permission MANAGE. Only this answer contains the secret.',
    body: closedBody(members).meta({ id: 'WebhookCreation', description: 'A new webhook.' }),
    responses: { 201: webhookWithSecretSchema },
    responseHeaders: ['Location'],
    errors: { 409: ['too_many_webhooks'] },
    guard: ({ id = '' }) => ({ id, permission: Permission.MANAGE, type }),
    async handle({ version, params, body, services, call }) {
      const { url, events, objects = [], format, payload, active = true } = body
      const request = {
        placeId: params.id ?? '',
        placeType: type,
        ...{ url, events, objectIds: objects, isActive: active },
        ...(format && { format: toFormat(format) }),
        ...(payload && { payload: toPayload(payload) }),
      }
      const { webhook: answered, secret } = await services.webhooks.createWebhook(request, call)
      const webhook = required(answered)
      const location = `/api/${version}/webhook/${webhook.id}/`
      return created({ ...webhookShape(webhook), secret }, { location })
    },
  })

export const ofPlace: Endpoint[] = planResources.flatMap((place) => [list(place), create(place)])
