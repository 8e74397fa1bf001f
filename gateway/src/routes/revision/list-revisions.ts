import type { Endpoint } from '../../endpoint.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import { updatedAfterIn, updatedAfterQuery } from '../updated-after.js'
import type { RevisionKind } from './kinds.js'

export const listRevisions = ({ segment, type, listed, listedSchema }: RevisionKind): Endpoint =>
  listEndpoint({
    path: `/${segment}/`,
    since: 'v1',
    auth: 'required',
    operationId: `list${nounOf(segment).idParts}`,
    summary: `List the ${nounOf(segment).many} that the caller may view`,
    description: 'The oldest comes first.',
    query: updatedAfterQuery,
    item: listedSchema,
    async readPage({ services, call, version, query }, page) {
      const request = { type, ...page, ...updatedAfterIn(query) }
      const answer = await services.revisions.listVisibleRevisions(request, call)
      const items = answer.revisions.map((revision) => listed(revision, version))
      return { items, nextPageToken: answer.nextPageToken }
    },
  })
