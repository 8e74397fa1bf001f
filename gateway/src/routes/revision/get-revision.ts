import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { isShallow, shallowQuery } from '../members.js'
import type { RevisionKind } from './kinds.js'

export const getRevision = (kind: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${kind.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    summary: `One revision of a ${kind.parent.member} with its data objects`,
    query: shallowQuery,
    responses: { 200: z.union([kind.fullSchema, kind.listedSchema]) },
    async handle(input) {
      const { params, query, services, call, version } = input
      const summary = isShallow(query)
      const request = { id: params.id ?? '', type: kind.type, summary }
      const revision = found((await services.revisions.getRevision(request, call)).revision)
      const shape = summary ? kind.listed(revision, version) : await kind.full(input, revision)
      return ok(shape, etagOf(revision))
    },
  })
