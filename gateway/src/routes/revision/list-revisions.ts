import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { begun, pages } from '../pages.js'
import type { RevisionKind } from './kinds.js'

export const listRevisions = (kind: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${kind.segment}/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Every revision of ${kind.parent.member}s that the caller can view, oldest first`,
    responses: { 200: z.array(kind.listedSchema) },
    async handle(input) {
      return ok(new JsonArrayStream(await begun(listed(input, kind))))
    },
  })

async function* listed({ services, call, version }: Input, { type, listed }: RevisionKind) {
  const revisions = pages(async (pageToken) => {
    const page = await services.revisions.listVisibleRevisions({ type, pageToken }, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  })
  for await (const revision of revisions) yield listed(revision, version)
}
