import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { linkShareSchema, type Shareable } from './shares.js'

export const getLinkShare = ({ segment, type }: Shareable): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/share/link/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Whether the ${segment} and everything below it is shared by link`,
    responses: { 200: linkShareSchema },
    async handle({ params, services, call }) {
      const { enabled } = await services.catalog.getLinkShare({ id: params.id ?? '', type }, call)
      return ok({ enabled })
    },
  })
