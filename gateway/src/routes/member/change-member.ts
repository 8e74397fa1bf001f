import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { nounOf } from '../nouns.js'
import { type MembershipResource, manageGuard, memberBody, memberIn } from './resources.js'

export const changeMember = (resource: MembershipResource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${resource.segment}/:id/members/change/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `change${nounOf(resource.segment).idPart}Member`,
    summary: `Change the role of a member of ${nounOf(resource.segment).a}`,
    description: 'The caller needs the permission MANAGE.',
    body: memberBody(resource),
    responses: { 200: memberSchema },
    guard: manageGuard(resource),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: resource.type, member: memberIn(body) }
      const { member } = await services.catalog.changeMember(request, call)
      return ok(memberShape(required(member)))
    },
  })
