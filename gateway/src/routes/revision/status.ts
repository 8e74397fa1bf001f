import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import type { RevisionKind } from './kinds.js'

export const revisionStatus = ({ segment, type }: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/status/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    summary: 'Whether a revision is still being processed',
    responses: { 200: z.object({ is_processing: z.boolean() }) },
    async handle({ params, services, call }) {
      const request = { id: params.id ?? '', type, summary: true }
      const { revision } = await services.revisions.getRevision(request, call)
      return ok({ is_processing: required(revision).isProcessing })
    },
  })
