import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { nounOf } from '../nouns.js'
import { linkShareSchema, refusedIn, type Shareable } from './shares.js'

export const getLinkShare = ({ segment, type }: Shareable): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/share/link/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}LinkShare`,
    summary: `Get whether ${nounOf(segment).a} is shared by link`,
    description:
      'Everybody who knows the address of a shared object may view it and everything below it.',
    responses: { 200: linkShareSchema },
    ...refusedIn(segment),
    async handle({ params, services, call }) {
      const { enabled } = await services.catalog.getLinkShare({ id: params.id ?? '', type }, call)
      return ok({ enabled })
    },
  })
