import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  notificationMembers,
  notificationSettingsSchema,
  notificationSettingsShape,
  toNotificationUpdate,
} from '../../shapes/notification.js'
import { closedBody } from '../body-members.js'

const common = {
  path: '/user_profile/notifications/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
} as const

const get = endpoint({
  ...common,
  method: 'GET',
  operationId: 'getNotificationSettings',
  summary: 'Get what reaches the caller by mail',
  description: 'Each kind of notification is mailed at once, in a digest, or not.',
  responses: { 200: notificationSettingsSchema },
  async handle({ services, call }) {
    const { settings } = await services.notifications.getNotificationSettings({}, call)
    return ok(notificationSettingsShape(required(settings)))
  },
})

const update = endpoint({
  ...common,
  method: 'PATCH',
  operationId: 'updateNotificationSettings',
  summary: 'Choose what reaches the caller by mail',
  description: 'Omitted members keep their values.',
  body: closedBody(z.object(notificationMembers).partial().shape, notificationSettingsSchema),
  responses: { 200: notificationSettingsSchema },
  async handle({ body, services, call }) {
    const request = toNotificationUpdate(body)
    const { settings } = await services.notifications.updateNotificationSettings(request, call)
    return ok(notificationSettingsShape(required(settings)))
  },
})

export const notificationSettings: Endpoint[] = [get, update]
