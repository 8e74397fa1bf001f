import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { aiErrors } from '../ai-errors.js'
import { etagOf } from '../if-match.js'
import { figureRevisions } from './kinds.js'

export const generateDescription: Endpoint = endpoint({
  method: 'POST',
  path: '/revision/:id/generate_description/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'generateRevisionDescription',
  summary: 'Let a language model describe a figure revision',
  description: 'The description is saved with the author `ai`. The answer is the updated revision.',
  responses: { 200: figureRevisions.fullSchema },
  errors: aiErrors,
  responseHeaders: ['ETag'],
  async handle(input) {
    const { params, services, streamCall, call } = input
    const id = params.id ?? ''
    await services.insight.describe({ revisionId: id }, streamCall)
    const request = { id, type: figureRevisions.type }
    const revision = required((await services.revisions.getRevision(request, call)).revision)
    return ok((await figureRevisions.full(input, revision)).body, etagOf(revision))
  },
})
