import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { found } from '../found.js'

export const revisionStatus = endpoint({
  method: 'GET',
  path: '/revision/:id/status/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'Whether a revision is still being processed',
  responses: { 200: z.object({ is_processing: z.boolean() }) },
  async handle({ params, services, call }) {
    const { revision } = await services.revisions.getFigureRevision({ id: params.id ?? '' }, call)
    return ok({ is_processing: found(revision).isProcessing })
  },
})
