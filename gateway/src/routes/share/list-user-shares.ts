import type { Endpoint } from '../../endpoint.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import { refusedIn, type Shareable, userShareSchema } from './shares.js'

export const listUserShares = ({ segment, type }: Shareable): Endpoint =>
  listEndpoint({
    path: `/${segment}/:id/share/user/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}Shares`,
    summary: `List the users with whom ${nounOf(segment).a} is shared`,
    description: 'Members of the workspace are not listed.',
    item: userShareSchema,
    isShort: true,
    ...refusedIn(segment),
    async readPage({ params, services, call }, page) {
      const request = { id: params.id ?? '', type, ...page }
      const { usernames, nextPageToken } = await services.catalog.listUserShares(request, call)
      const items = usernames.map((username) => ({ username, sharing_enabled: true }))
      return { items, nextPageToken }
    },
  })
