import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { idIn } from '../body-members.js'
import { figureBody } from './stream.js'

export const figureCode: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/figure_code/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'extractFigureCode',
  summary: 'Extract the code that made a figure',
  description:
    'The answer has lines of the stored code, which a language model chooses. It is empty if there are none.',
  body: figureBody,
  responses: { 200: z.object({ code: z.string(), omissions: z.array(z.string()) }) },
  errors: aiErrors,
  guard: (_params, body) => ({
    id: idIn(body, 'figure_revision'),
    permission: Permission.COMMENT,
    type: NodeType.FIGURE_REVISION,
  }),
  async handle({ body, services, streamCall }) {
    const request = { revisionId: body.figure_revision }
    const { code, omissions } = await services.insight.extractCode(request, streamCall)
    return ok({ code, omissions })
  },
})
