import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema } from '../../shapes/member.js'
import { nounOf } from '../nouns.js'
import { type MembershipResource, manageGuard, removedMemberBody } from './resources.js'

export const removeMember = (resource: MembershipResource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${resource.segment}/:id/members/remove/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'no effect: it creates nothing',
    operationId: `remove${nounOf(resource.segment).idPart}Member`,
    summary: `Remove a member from ${nounOf(resource.segment).a}`,
    description:
      'The caller needs the permission MANAGE, except to leave. In the answer, the role is null.',
    body: removedMemberBody,
    responses: { 200: memberSchema },
    guard: manageGuard(resource),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: resource.type, username: body.username }
      await services.catalog.removeMember(request, call)
      return ok({ username: body.username, membership_type: null })
    },
  })
