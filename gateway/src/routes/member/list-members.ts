import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { nounOf } from '../nouns.js'
import { collectPages } from '../pagination.js'
import type { MembershipResource } from './resources.js'

export const listMembers = ({ segment, type }: MembershipResource): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/members/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `list${nounOf(segment).idPart}Members`,
    summary: `List the members of ${nounOf(segment).a}`,
    description:
      'Only direct members are listed, in the order in which they joined. The caller needs the permission MANAGE.',
    responses: { 200: z.array(memberSchema) },
    async handle({ params, services, call }) {
      const { id = '' } = params
      const members = await collectPages(async (pageToken) => {
        const page = await services.catalog.listMembers({ id, type, pageToken }, call)
        return { items: page.members, nextPageToken: page.nextPageToken }
      })
      return ok(members.map(memberShape))
    },
  })
