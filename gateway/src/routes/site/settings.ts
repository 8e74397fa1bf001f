import type { Settings } from '@figbase/proto/identity/site'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { settingsSchema, settingsShape } from '../../shapes/settings.js'
import { closedBody } from '../body-members.js'
import { etagOf, expectedVersion, ifMatchHeader } from '../if-match.js'

export const getSettings: Endpoint = endpoint({
  method: 'GET',
  path: '/settings/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getSettings',
  summary: 'Get the settings of the site',
  description: 'The answer includes limits of the installation.',
  responses: { 200: settingsSchema },
  responseHeaders: ['ETag'],
  handle: async (input) => answerOf(input, await settingsOf(input)),
})

const text = z.string('must be a string').optional()
const yesOrNo = z.boolean('must be true or false').optional()

const members = {
  site_name: text,
  announcement: text,
  sign_up_enabled: yesOrNo,
  link_sharing_enabled: yesOrNo,
  ai_enabled: yesOrNo,
  ai_model: z.string('must be a string or null').nullish(),
}

const settingsBody = closedBody(members, settingsSchema).meta({
  id: 'SettingsUpdate',
  description: 'The settings to change.',
})

export const updateSettings = (method: 'PUT' | 'PATCH'): Endpoint =>
  endpoint({
    method,
    path: '/settings/',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}Settings`,
    summary: 'Update the settings of the site',
    description: 'Only staff may update them. Omitted members keep their values.',
    body: settingsBody,
    requestHeaders: ifMatchHeader,
    responses: { 200: settingsSchema },
    responseHeaders: ['ETag'],
    async handle(input) {
      const { body, services, call } = input
      const request = {
        ...(await expectedVersion(input, () => settingsOf(input))),
        ...membersOf(body),
      }
      const { settings } = await services.site.updateSettings(request, call)
      return answerOf(input, required(settings))
    },
  })

const settingsOf = async ({ services, call }: Input) =>
  required((await services.site.getSettings({}, call)).settings)

const answerOf = ({ cfg }: Input, settings: Settings) =>
  ok(settingsShape(settings, cfg), etagOf(settings))

/** A null model selects the first available one. */
function membersOf(body: z.output<typeof settingsBody>) {
  const { site_name, announcement, sign_up_enabled, link_sharing_enabled, ai_enabled } = body
  return {
    ...(site_name !== undefined && { siteName: site_name }),
    ...(announcement !== undefined && { announcement }),
    ...(sign_up_enabled !== undefined && { signUpEnabled: sign_up_enabled }),
    ...(link_sharing_enabled !== undefined && { linkSharingEnabled: link_sharing_enabled }),
    ...(ai_enabled !== undefined && { aiEnabled: ai_enabled }),
    ...(body.ai_model !== undefined && { aiModel: body.ai_model ?? '' }),
  }
}
