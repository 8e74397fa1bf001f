import { z } from 'zod'
import { created, endpoint } from '../../endpoint.js'

export const reserveShortIdPrefix = endpoint({
  method: 'POST',
  path: '/short_id_prefix/reserve/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'reserveShortIdPrefix',
  summary: 'Reserve a prefix for short ids',
  description: 'The short ids that the caller assigns to revisions begin with it.',
  responses: { 201: z.object({ prefix: z.string().length(8) }) },
  errors: { 403: ['max_short_id_prefixes'] },
  async handle({ services, call }) {
    const { prefix } = await services.revisions.reserveShortIdPrefix({}, call)
    return created({ prefix })
  },
})
