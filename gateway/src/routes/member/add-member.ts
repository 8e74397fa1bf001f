import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { nounOf } from '../nouns.js'
import { type MembershipResource, manageGuard, memberBody, memberIn } from './resources.js'

export const addMember = (resource: MembershipResource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${resource.segment}/:id/members/add/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'supported',
    operationId: `add${nounOf(resource.segment).idPart}Member`,
    summary: `Add a member to ${nounOf(resource.segment).a}`,
    description: 'The caller needs the permission MANAGE.',
    body: memberBody(resource),
    responses: { 200: memberSchema },
    errors: { 403: ['max_users'], 409: ['already_member'] },
    guard: manageGuard(resource),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: resource.type, member: memberIn(body) }
      const { member } = await services.catalog.addMember(request, call)
      return ok(memberShape(required(member)))
    },
  })
