import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { found } from '../found.js'
import { type Circle, managing, memberBody, memberIn } from './members.js'

export const addMember = (circle: Circle): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${circle.segment}/:id/members/add/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    summary: `Make a user a member of the ${circle.segment}`,
    body: memberBody(circle),
    responses: { 200: memberSchema },
    guard: managing(circle),
    async handle({ params, body, services, call }) {
      const request = { id: params.id ?? '', type: circle.type, member: memberIn(body) }
      const { member } = await services.catalog.addMember(request, call)
      return ok(memberShape(found(member)))
    },
  })
