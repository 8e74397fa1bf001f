import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { accessMember, toApiKeyAccess } from '../../shapes/api-key.js'
import { name } from '../body-members.js'

export const beginDeviceLogin = endpoint({
  method: 'POST',
  path: '/api/token/device/',
  since: 'v1',
  auth: 'none',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'beginDeviceLogin',
  summary: 'Start the login of a program without a browser',
  description:
    'The program shows the user code and the address of the page where its user allows the login, and polls for its API key with the device code. See RFC 8628.',
  acceptsForm: true,
  body: z
    .object({ name, access: accessMember.nullish() })
    .meta({ id: 'DeviceLoginRequest', description: 'Which API key a program asks for.' }),
  responses: {
    200: z
      .object({
        device_code: z.string(),
        user_code: z.string(),
        verification_uri: z.url(),
        verification_uri_complete: z.url(),
        expires_in: z.int(),
        interval: z.int(),
      })
      .meta({ id: 'DeviceLogin', description: 'The login of a program without a browser.' }),
  },
  errors: { 429: ['too_many_device_logins'] },
  async handle(input) {
    const { body, headers, services, call } = input
    const { deviceCode, userCode, lifeSeconds, intervalSeconds } =
      await services.deviceLogin.beginDeviceLogin(
        {
          name: body.name,
          userAgent: headers['user-agent'] ?? '',
          ...(body.access && { access: toApiKeyAccess(body.access) }),
        },
        call,
      )
    const page = `${siteOriginOf(input)}/device/`
    return ok({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${userCode}`,
      expires_in: lifeSeconds,
      interval: intervalSeconds,
    })
  },
})
