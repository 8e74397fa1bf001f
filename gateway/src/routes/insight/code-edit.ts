import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { RawJson } from '../../http/json/json-writer.js'
import { aiErrors } from '../ai-errors.js'
import { idIn, idText } from '../body-members.js'

const bodyBytesMax = 8 * 1024 * 1024
const pngPrefix = 'data:image/png;base64,'

const text = z.string('must be a string')

const body = z.object({
  figure_revision: idText,
  messages: z.array(z.object({ role: text, content: text }), 'must be an array'),
  current_code: text,
  figure_image: text
    .refine((url) => url.startsWith(pngPrefix), `must begin with ${pngPrefix}`)
    .refine((url) => {
      const data = url.slice(pngPrefix.length)
      return Buffer.from(data, 'base64').toString('base64') === data
    }, 'must be base64')
    .nullish(),
  available_packages: z.array(text, 'must be an array').nullish(),
  model: text.nullish(),
})

const toolCall = z
  .object({ name: z.string(), input: z.unknown(), result: z.string() })
  .meta({ id: 'ToolCall', description: 'A call of a tool by the language model.' })

export const codeEdit: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/code_edit/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  bodyBytesMax: () => bodyBytesMax,
  operationId: 'editFigureCode',
  summary: 'Let a language model change the code of a figure',
  description:
    'The last message says what to change. Nothing is stored. `valid` and `error` tell whether the code can be parsed and imports only `available_packages`; `error` also tells which limit ended the work.',
  body,
  responses: {
    200: z.object({
      role: z.literal('assistant'),
      content: z.string(),
      code: z.string(),
      valid: z.boolean(),
      error: z.string().nullable(),
      tool_calls: z.array(toolCall),
    }),
  },
  errors: aiErrors,
  guard: (_params, body) => ({
    id: idIn(body, 'figure_revision'),
    permission: Permission.COMMENT,
    type: NodeType.FIGURE_REVISION,
  }),
  async handle({ body, services, streamCall }) {
    const { figure_image: image, available_packages: names, model } = body
    const request = {
      revisionId: body.figure_revision,
      messages: body.messages,
      currentCode: body.current_code,
      figureImage: Buffer.from(image?.slice(pngPrefix.length) ?? '', 'base64'),
      ...(names && { availablePackages: { names } }),
      model: model ?? '',
    }
    const { content, code, valid, error, toolCalls } = await services.codeEditor.editCode(
      request,
      streamCall,
    )
    const calls = toolCalls.map(({ name, inputJson, result }) => ({
      name,
      input: new RawJson(inputJson),
      result,
    }))
    const edited = { content, code, valid, error: error ?? null, tool_calls: calls }
    return ok({ role: 'assistant', ...edited })
  },
})
