import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { nounOf } from '../nouns.js'
import { linkShareSchema, type Shareable, shareGuard, sharingOf } from './shares.js'

export const setLinkShare = (shareable: Shareable): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${shareable.segment}/:id/share/link/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `share${nounOf(shareable.segment).idPart}ByLink`,
    summary: `Share ${nounOf(shareable.segment).a} by link, or stop sharing`,
    description: sharingOf(shareable),
    body: linkShareSchema,
    responses: { 200: linkShareSchema },
    errors: { 403: ['link_sharing_not_allowed'] },
    guard: shareGuard(shareable),
    async handle({ params, body: { enabled }, services, call }) {
      const request = { id: params.id ?? '', type: shareable.type, enabled }
      await services.catalog.setLinkShare(request, call)
      return ok({ enabled })
    },
  })
