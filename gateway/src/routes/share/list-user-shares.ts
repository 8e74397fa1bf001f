import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { nounOf } from '../nouns.js'
import { collectPages } from '../pagination.js'
import { refusedIn, type Shareable, userShareSchema } from './shares.js'

export const listUserShares = ({ segment, type }: Shareable): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/share/user/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `list${nounOf(segment).idPart}Shares`,
    summary: `List the users with whom ${nounOf(segment).a} is shared`,
    description: 'Members of the workspace are not listed.',
    responses: { 200: z.array(userShareSchema) },
    ...refusedIn(segment),
    async handle({ params, services, call }) {
      const { id = '' } = params
      const usernames = await collectPages(async (pageToken) => {
        const page = await services.catalog.listUserShares({ id, type, pageToken }, call)
        return { items: page.usernames, nextPageToken: page.nextPageToken }
      })
      return ok(usernames.map((username) => ({ username, sharing_enabled: true })))
    },
  })
