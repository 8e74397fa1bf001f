import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { idText } from '../body-members.js'
import { answerEventSchema, answerMembers, answerSchema, askReply } from './stream.js'

const body = z.object({
  text: z.string('must be a string'),
  prompt: z.string('must be a string'),
  workspace: idText.nullish(),
  ...answerMembers,
})

export const textOnly: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/text_only/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'askAboutText',
  summary: 'Ask a language model about a text',
  description:
    'The plan of `workspace` counts; by default, that of the primary workspace. With `stream`, the answer is sent as server-sent events.',
  body,
  responses: { 200: answerSchema },
  errors: aiErrors,
  mediaType: 'text/event-stream',
  events: answerEventSchema,
  handle(input) {
    const { text, prompt, workspace } = input.body
    return askReply(input, { case: 'text', value: { text, prompt, workspaceId: workspace ?? '' } })
  },
})
