import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { nounOf } from '../nouns.js'
import { iteratePages } from '../pagination.js'
import type { RevisionKind } from './kinds.js'

export const listRevisions = (kind: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${kind.segment}/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `list${nounOf(kind.segment).idParts}`,
    summary: `List the ${nounOf(kind.segment).many} that the caller may view`,
    description: 'The oldest comes first.',
    responses: { 200: z.array(kind.listedSchema) },
    async handle(input) {
      return ok(new JsonArrayStream(await prefetchFirst(listed(input, kind))))
    },
  })

async function* listed({ services, call, version }: Input, { type, listed }: RevisionKind) {
  const revisions = iteratePages(async (pageToken) => {
    const page = await services.revisions.listVisibleRevisions({ type, pageToken }, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  })
  for await (const revision of revisions) yield listed(revision, version)
}
