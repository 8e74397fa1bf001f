import * as z from 'zod'

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().regex(/^data:image\/[a-z]+;base64,./) }),
})
const contentOf = <T extends z.ZodType>(part: T) => z.union([z.string(), z.array(part).min(1)])
const toolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: contentOf(textPart) }),
  z.looseObject({
    role: z.literal('user'),
    content: contentOf(z.discriminatedUnion('type', [textPart, imagePart])),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentOf(textPart).nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.looseObject({
    role: z.literal('tool'),
    tool_call_id: z.string().min(1),
    content: contentOf(textPart),
  }),
])

const namedTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().min(1) }),
})

/** The members of a chat completion's request that the product may send. */
export const openaiBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().min(1), parameters: z.looseObject({}) }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), namedTool]).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.enum(['text', 'json_object']) }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string().min(1), schema: z.looseObject({}) }),
      }),
    ])
    .optional(),
})
export type OpenaiBody = z.infer<typeof openaiBody>
