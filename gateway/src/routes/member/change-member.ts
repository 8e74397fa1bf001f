import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { found } from '../found.js'
import { type Circle, managing, memberBody, memberIn } from './members.js'

export const changeMember = (circle: Circle): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${circle.segment}/:id/members/change/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Give a member of the ${circle.segment} another role`,
    body: memberBody(circle),
    responses: { 200: memberSchema },
    guard: managing(circle),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: circle.type, member: memberIn(body) }
      const { member } = await services.catalog.changeMember(request, call)
      return ok(memberShape(found(member)))
    },
  })
