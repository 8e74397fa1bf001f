import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { memberSchema, memberShape } from '../../shapes/member.js'
import { allPages } from '../pages.js'
import type { Circle } from './members.js'

export const listMembers = ({ segment, type }: Circle): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/members/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `The direct members of the ${segment}, in the order of their coming`,
    responses: { 200: z.array(memberSchema) },
    async handle({ params, services, call }) {
      const { id = '' } = params
      const members = await allPages(async (pageToken) => {
        const page = await services.catalog.listMembers({ id, type, pageToken }, call)
        return { items: page.members, nextPageToken: page.nextPageToken }
      })
      return ok(members.map(memberShape))
    },
  })
