import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { idIn, idText } from '../body-members.js'
import { answerEventSchema, answerMembers, answerSchema, askReply } from './stream.js'

const body = z.object({
  left_revision: idText,
  right_revision: idText,
  prompt: z.string('must be a string').nullish(),
  ...answerMembers,
})

export const compare: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/compare/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'compareFigures',
  summary: 'Ask a language model to compare two figure revisions',
  description:
    'The plan of the workspace of the left revision counts. With `stream`, the answer is sent as server-sent events.',
  body,
  responses: { 200: answerSchema },
  errors: aiErrors,
  mediaType: 'text/event-stream',
  events: answerEventSchema,
  guard: (_params, body) => ({
    id: idIn(body, 'left_revision'),
    permission: Permission.COMMENT,
    type: NodeType.FIGURE_REVISION,
  }),
  handle(input) {
    const { left_revision: leftRevisionId, right_revision: rightRevisionId, prompt } = input.body
    const value = { leftRevisionId, rightRevisionId, prompt: prompt ?? '' }
    return askReply(input, { case: 'comparison', value })
  },
})
