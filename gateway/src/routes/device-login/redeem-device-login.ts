import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { apiKeyCreatedSchema, apiKeyCreatedShape } from '../../shapes/api-key.js'
import { closedBody } from '../body-members.js'

export const redeemDeviceLogin = endpoint({
  method: 'POST',
  path: '/api/token/device/key/',
  since: 'v1',
  auth: 'none',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'redeemDeviceLogin',
  summary: 'Get the API key of an allowed login',
  description:
    'Before the user has decided, the `error` is `authorization_pending`, or `slow_down` if the program polls too often; afterwards it is `access_denied`, or `expired_token`. The key is given once.',
  acceptsForm: true,
  body: closedBody({ device_code: z.string() }).meta({
    id: 'DeviceLoginCode',
    description: 'The code of a login.',
  }),
  responses: { 200: apiKeyCreatedSchema },
  errors: {
    400: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
    401: ['authentication_failed'],
  },
  async handle({ body, services, call }) {
    const request = { deviceCode: body.device_code }
    const { key, token } = await services.deviceLogin.redeemDeviceLogin(request, call)
    return ok(apiKeyCreatedShape(required(key), token))
  },
})
