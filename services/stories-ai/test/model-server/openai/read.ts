import { type Content, Refusal } from '../types.js'
import type { OpenaiBody } from './body.js'

type Message = OpenaiBody['messages'][number]

export function readOpenai(body: OpenaiBody): Content {
  checkToolAnswers(body.messages)
  const { messages } = body
  return {
    system: messages.filter(isSystem).map(textOf).join('\n'),
    text: messages
      .filter((message) => !isSystem(message))
      .map(textOf)
      .join('\n'),
    images: messages.flatMap(imagesOf),
    called: messages.flatMap(callsOf).map(({ function: { name, arguments: input } }) => ({
      name,
      input: JSON.parse(input) as unknown,
    })),
    forcedTool: forcedTool(body),
    schema:
      body.response_format?.type === 'json_schema'
        ? body.response_format.json_schema.schema
        : undefined,
  }
}

const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'

const callsOf = (message: Message) =>
  message.role === 'assistant' ? (message.tool_calls ?? []) : []

function textOf({ content }: Message) {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function imagesOf({ content }: Message) {
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => {
    if (part.type !== 'image_url') return []
    const { url } = part.image_url
    return [Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')]
  })
}

/** Each call is answered before the next message of another role, and nothing else is answered. */
function checkToolAnswers(messages: Message[]) {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        throw new Refusal(400, `no open tool call has the id ${message.tool_call_id}`)
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) break
    open = callsOf(message).map(({ id }) => id)
  }
  if (open.length > 0) throw new Refusal(400, `tool calls without an answer: ${open.join(', ')}`)
}

function forcedTool({ tools = [], tool_choice: choice }: OpenaiBody) {
  if (choice === undefined || choice === 'none' || choice === 'auto') return undefined
  const tool =
    choice === 'required'
      ? tools[0]
      : tools.find((one) => one.function.name === choice.function.name)
  if (!tool) throw new Refusal(400, 'tool_choice: there is no such tool')
  return { name: tool.function.name, schema: tool.function.parameters }
}
