import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema } from '../../shapes/member.js'
import { type Circle, managing, username } from './members.js'

export const removeMember = (circle: Circle): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${circle.segment}/:id/members/remove/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    summary: `Take a member out of the ${circle.segment}`,
    body: z.object({ username }),
    responses: { 200: memberSchema },
    guard: managing(circle),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: circle.type, username: body.username }
      await services.catalog.removeMember(request, call)
      return ok({ username: body.username, membership_type: null })
    },
  })
