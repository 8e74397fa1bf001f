import { endpoint, ok } from '../../endpoint.js'
import { figureRevisionSchema } from '../../shapes/figure-revision.js'
import { found } from '../found.js'
import { etagOf } from '../if-match.js'
import { fullRevision } from './full-revision.js'

export const getRevision = endpoint({
  method: 'GET',
  path: '/revision/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'One revision with its data objects',
  responses: { 200: figureRevisionSchema },
  async handle(input) {
    const { params, services, call } = input
    const { revision } = await services.revisions.getFigureRevision({ id: params.id ?? '' }, call)
    return ok(await fullRevision(input, found(revision)), etagOf(found(revision)))
  },
})
