import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import {
  figureRevisionInList,
  figureRevisionInListSchema,
  figureRevisionSchema,
} from '../../shapes/figure-revision.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { isShallow, shallowQuery } from '../members.js'
import { fullRevision } from './full-revision.js'

export const getRevision = endpoint({
  method: 'GET',
  path: '/revision/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'One revision with its data objects',
  query: shallowQuery,
  responses: { 200: z.union([figureRevisionSchema, figureRevisionInListSchema]) },
  async handle(input) {
    const { params, query, services, call, version } = input
    const answer = await services.revisions.getFigureRevision({ id: params.id ?? '' }, call)
    const revision = found(answer.revision)
    const shape = isShallow(query)
      ? figureRevisionInList(revision, version)
      : await fullRevision(input, revision)
    return ok(shape, etagOf(revision))
  },
})
