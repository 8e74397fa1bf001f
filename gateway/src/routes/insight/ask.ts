import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { idIn, idText } from '../body-members.js'
import { answerEventSchema, answerMembers, answerSchema, askReply } from './stream.js'

const body = z.object({
  figure_revision: idText,
  prompt: z.string('must be a string'),
  ...answerMembers,
})

export const ask: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'askAboutFigure',
  summary: 'Ask a language model about a figure revision',
  description: 'With `stream`, the answer is sent as server-sent events.',
  body,
  responses: { 200: answerSchema },
  errors: aiErrors,
  mediaType: 'text/event-stream',
  events: answerEventSchema,
  guard: (_params, body) => ({
    id: idIn(body, 'figure_revision'),
    permission: Permission.COMMENT,
    type: NodeType.FIGURE_REVISION,
  }),
  handle(input) {
    const { figure_revision: revisionId, prompt } = input.body
    return askReply(input, { case: 'figure', value: { revisionId, prompt } })
  },
})
