import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { linkShareSchema, type Shareable, shareGuard, yesOrNo } from './shares.js'

export const setLinkShare = (shareable: Shareable): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${shareable.segment}/:id/share/link/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Share the ${shareable.segment} and everything below it by link, or stop shareGuard`,
    body: z.object({ enabled: yesOrNo }),
    responses: { 200: linkShareSchema },
    guard: shareGuard(shareable),
    async handle({ params, body: { enabled }, services, call }) {
      const request = { id: params.id ?? '', type: shareable.type, enabled }
      await services.catalog.setLinkShare(request, call)
      return ok({ enabled })
    },
  })
