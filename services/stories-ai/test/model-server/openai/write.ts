import { randomUUID } from 'node:crypto'
import type { Answer, ModelRequest, Stream, ToolCall, Usage } from '../types.js'

const usageOf = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

const callOf = ({ name, input }: ToolCall) => ({
  id: `call_${randomUUID()}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

const finishOf = ({ tools }: Answer) => (tools.length > 0 ? 'tool_calls' : 'stop')

const frame = ({ model }: ModelRequest, object: string) => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(Date.now() / 1000),
  ...{ object, model },
})

export function openaiWhole(request: ModelRequest, answer: Answer) {
  const { parts, tools, usage } = answer
  const calls = tools.length > 0 && { tool_calls: tools.map(callOf) }
  const message = { role: 'assistant', content: parts.join('') || null, ...calls }
  return {
    ...frame(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    ...(usage !== 'none' && { usage: usageOf(usage) }),
  }
}

export function openaiStream(request: ModelRequest, answer: Answer): Stream {
  const base = frame(request, 'chat.completion.chunk')
  const chunk = (delta: object, finish: string | null = null) =>
    event({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })
  const callParts = answer.tools.map((tool, index) => {
    const { function: called, ...call } = callOf(tool)
    const half = Math.ceil(called.arguments.length / 2)
    const opened = { ...call, index, function: { name: called.name, arguments: '' } }
    const rest = [called.arguments.slice(0, half), called.arguments.slice(half)]
    return [
      chunk({ tool_calls: [opened] }),
      ...rest.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
    ].join('')
  })
  const usage = answer.usage !== 'none' && reportsUsage(request) && usageOf(answer.usage)
  return {
    start: chunk({ role: 'assistant', content: '' }),
    parts: [...answer.parts.map((content) => chunk({ content })), ...callParts],
    end: [
      chunk({}, finishOf(answer)),
      usage ? event({ ...base, choices: [], usage }) : '',
      'data: [DONE]\n\n',
    ].join(''),
    errorAfter: event(openaiError(500, 'The model failed.')),
  }
}

/** A stream reports its usage only if the request asks for it. */
export const reportsUsage = ({ protocol, body }: ModelRequest) =>
  protocol === 'anthropic' || !body.stream || body.stream_options?.include_usage === true

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_exceeded',
}

export const openaiError = (status: number, message: string) => ({
  error: { message, type: types[status] ?? 'server_error', param: null, code: null },
})

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
