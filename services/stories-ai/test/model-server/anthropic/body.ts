import * as z from 'zod'

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string().min(1) })
const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
})
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.looseObject({}),
})
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))])
    .optional(),
})
const block = z.discriminatedUnion('type', [textBlock, imageBlock, toolUse, toolResult])
export type Block = z.infer<typeof block>

/** The members of a request for a message that the product may send. */
export const anthropicBody = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string().min(1), z.array(block).min(1)]),
      }),
    )
    .min(1),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  tools: z
    .array(z.looseObject({ name: z.string().min(1), input_schema: z.looseObject({}) }))
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.enum(['auto', 'any', 'none']) }),
      z.looseObject({ type: z.literal('tool'), name: z.string().min(1) }),
    ])
    .optional(),
  output_config: z
    .looseObject({
      format: z
        .looseObject({ type: z.literal('json_schema'), schema: z.looseObject({}) })
        .optional(),
    })
    .optional(),
})
export type AnthropicBody = z.infer<typeof anthropicBody>
