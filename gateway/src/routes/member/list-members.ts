import type { Endpoint } from '../../endpoint.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import type { MembershipResource } from './resources.js'

export const listMembers = ({ segment, type }: MembershipResource): Endpoint =>
  listEndpoint({
    path: `/${segment}/:id/members/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}Members`,
    summary: `List the members of ${nounOf(segment).a}`,
    description:
      'Only direct members are listed, in the order in which they joined. The caller needs the permission MANAGE.',
    item: memberSchema,
    isShort: true,
    async readPage({ params, services, call }, page) {
      const request = { id: params.id ?? '', type, ...page }
      const { members, nextPageToken } = await services.catalog.listMembers(request, call)
      return { items: members.map(memberShape), nextPageToken }
    },
  })
