import { randomUUID } from 'node:crypto'
import type { Answer, ModelRequest, Stream, ToolCall } from '../types.js'

const stopOf = ({ tools }: Answer) => (tools.length > 0 ? 'tool_use' : 'end_turn')

/** The protocol has no message without usage: one that is not reported is 0. */
const usageOf = ({ usage }: Answer) =>
  usage === 'none' ? { input: 0, output: 0 } : { input: usage.input, output: usage.output }

const frame = ({ model }: ModelRequest) => ({
  id: `msg_${randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
})

const useOf = ({ name, input }: ToolCall) => ({
  type: 'tool_use',
  id: `toolu_${randomUUID()}`,
  ...{ name, input },
})

export function anthropicWhole(request: ModelRequest, answer: Answer) {
  const { input, output } = usageOf(answer)
  const text = answer.parts.join('')
  return {
    ...frame(request),
    content: [...(text ? [{ type: 'text', text }] : []), ...answer.tools.map(useOf)],
    stop_reason: stopOf(answer),
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }
}

export function anthropicStream(request: ModelRequest, answer: Answer): Stream {
  const { input, output } = usageOf(answer)
  const hasText = answer.parts.length > 0
  const message = {
    ...frame(request),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: 0 },
  }
  const start = event({ type: 'message_start', message }) + event({ type: 'ping' })
  const textStart = hasText ? blockStart(0, { type: 'text', text: '' }) : ''
  const texts = answer.parts.map((text) => blockDelta(0, { type: 'text_delta', text }))
  if (hasText) texts.push((texts.pop() ?? '') + blockStop(0))
  const tools = answer.tools.map((tool, index) => toolPart(tool, hasText ? index + 1 : index))
  const delta = { stop_reason: stopOf(answer), stop_sequence: null }
  return {
    start: start + textStart,
    parts: [...texts, ...tools],
    end:
      event({ type: 'message_delta', delta, usage: { output_tokens: output } }) +
      event({ type: 'message_stop' }),
    errorAfter: event(anthropicError(529, 'Overloaded')),
  }
}

function toolPart(tool: ToolCall, index: number) {
  const { input, ...use } = useOf(tool)
  const json = JSON.stringify(input)
  const half = Math.ceil(json.length / 2)
  return [
    blockStart(index, { ...use, input: {} }),
    ...[json.slice(0, half), json.slice(half)].map((partial_json) =>
      blockDelta(index, { type: 'input_json_delta', partial_json }),
    ),
    blockStop(index),
  ].join('')
}

const blockStart = (index: number, content_block: object) =>
  event({ type: 'content_block_start', index, content_block })
const blockDelta = (index: number, delta: object) =>
  event({ type: 'content_block_delta', index, delta })
const blockStop = (index: number) => event({ type: 'content_block_stop', index })

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export const anthropicError = (status: number, message: string) => ({
  type: 'error',
  error: { type: types[status] ?? 'api_error', message },
})

const event = (data: { type: string; [member: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
