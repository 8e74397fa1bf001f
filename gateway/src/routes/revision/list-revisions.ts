import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { figureRevisionInList, figureRevisionInListSchema } from '../../shapes/figure-revision.js'
import { begun, pages } from '../pages.js'

export const listRevisions = endpoint({
  method: 'GET',
  path: '/revision/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Every figure revision that the caller can view, oldest first',
  responses: { 200: z.array(figureRevisionInListSchema) },
  async handle(input) {
    return ok(new JsonArrayStream(await begun(listed(input))))
  },
})

async function* listed({ services, call, version }: Input) {
  const revisions = pages(async (pageToken) => {
    const page = await services.revisions.listVisibleFigureRevisions({ pageToken }, call)
    return { items: page.revisions, nextPageToken: page.nextPageToken }
  })
  for await (const revision of revisions) yield figureRevisionInList(revision, version)
}
