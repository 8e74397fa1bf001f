import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { nounOf } from '../nouns.js'
import { type Shareable, shareGuard, sharingOf, userShareSchema } from './shares.js'

export const setUserShare = (shareable: Shareable): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${shareable.segment}/:id/share/user/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `share${nounOf(shareable.segment).idPart}WithUser`,
    summary: `Share ${nounOf(shareable.segment).a} with a user, or stop sharing`,
    description: sharingOf(shareable),
    body: userShareSchema,
    responses: { 200: userShareSchema },
    guard: shareGuard(shareable),
    async handle({ params, body, services, call }) {
      const { username, sharing_enabled: enabled } = body
      const request = { id: params.id ?? '', type: shareable.type, username, enabled }
      await services.catalog.setUserShare(request, call)
      return ok({ username, sharing_enabled: enabled })
    },
  })
