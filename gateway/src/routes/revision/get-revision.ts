import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { etagOf } from '../if-match.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import { withArticle } from '../with-article.js'
import type { RevisionKind } from './kinds.js'

export const getRevision = (kind: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${kind.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    summary: `Get a revision of ${withArticle(kind.parent.member)} with its data objects`,
    query: shallowQuery,
    responses: { 200: z.union([kind.fullSchema, kind.listedSchema]) },
    async handle(input) {
      const { params, query, services, call, version } = input
      const summary = isShallow(query)
      const request = { id: params.id ?? '', type: kind.type, summary }
      const revision = required((await services.revisions.getRevision(request, call)).revision)
      const shape = summary ? kind.listed(revision, version) : await kind.full(input, revision)
      return ok(shape, etagOf(revision))
    },
  })
