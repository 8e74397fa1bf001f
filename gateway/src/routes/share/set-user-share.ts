import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { username } from '../member/resources.js'
import { type Shareable, shareGuard, userShareSchema, yesOrNo } from './shares.js'

export const setUserShare = (shareable: Shareable): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${shareable.segment}/:id/share/user/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Share the ${shareable.segment} and everything below it with a user, or stop shareGuard`,
    body: z.object({ username, sharing_enabled: yesOrNo }),
    responses: { 200: userShareSchema },
    guard: shareGuard(shareable),
    async handle({ params, body, services, call }) {
      const { username, sharing_enabled: enabled } = body
      const request = { id: params.id ?? '', type: shareable.type, username, enabled }
      await services.catalog.setUserShare(request, call)
      return ok({ username, sharing_enabled: enabled })
    },
  })
