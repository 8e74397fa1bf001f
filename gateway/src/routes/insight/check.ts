import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { figureBody } from './stream.js'

export const check: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/check/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'checkInsight',
  summary: 'Check whether AI can process a figure revision now',
  description: 'If it cannot, `messages` says why. The check counts for no limit.',
  body: figureBody,
  responses: { 200: z.object({ available: z.boolean(), messages: z.array(z.string()) }) },
  errors: { 503: ['ai_disabled'] },
  async handle({ body, services, call }) {
    const request = { revisionId: body.figure_revision }
    const { available, messages } = await services.insight.check(request, call)
    return ok({ available, messages })
  },
})
