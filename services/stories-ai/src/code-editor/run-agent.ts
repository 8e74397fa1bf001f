import { Code, ConnectError } from '@connectrpc/connect'
import type { AssistantContent, ModelMessage } from 'ai'
import type { Ctx } from '../context.js'
import { type Completion, type StreamOptions, streamAnswer } from '../insight/stream-answer.js'
import type { ToolCall } from '../model/port.js'
import type { Prompt } from '../prompts/prompt.js'
import { runTool, tools, type Workbench } from './tools.js'

/** Of one answer of the model; it may ask again with the next one. */
const callsMax = 16
const resultCharsMax = 20_000

export type AgentResult = {
  /** What the model said at last. */
  content: string
  calls: (ToolCall & { result: string })[]
  /** The limit that ended its work. */
  stopped: string | undefined
}

/**
 * Lets the model change the code of the workbench by tools until it calls none, or a limit ends its work. Each step is
 * one request to the model, which is counted.
 */
export async function runAgent(
  ctx: Ctx,
  prompt: Prompt,
  bench: Workbench,
  options: StreamOptions,
): Promise<AgentResult> {
  const { agentStepsMax, agentTokensMax, agentTimeoutMs } = ctx.cfg.ai
  const end = new AbortController()
  const timeout = setTimeout(() => end.abort(), agentTimeoutMs)
  const leave = () => end.abort()
  options.signal.addEventListener('abort', leave)
  const messages: ModelMessage[] = [...prompt.messages]
  const result: AgentResult = { content: '', calls: [], stopped: undefined }
  const stop = (reason: string) => ({ ...result, stopped: reason })
  let tokens = 0
  try {
    for (let step = 1; step <= agentStepsMax; step++) {
      const request = streamAnswer(
        ctx,
        { ...prompt, messages },
        { ...options, tools, signal: end.signal },
      )
      const completion = await endOf(request)
      tokens += completion.tokens.input + completion.tokens.output
      if (completion.text.trim()) result.content = completion.text.trim()
      const calls = completion.calls.slice(0, callsMax)
      if (calls.length === 0) return result
      const ran: AgentResult['calls'] = []
      for (const call of calls) {
        const text = (await runTool(bench, call)).slice(0, resultCharsMax)
        ran.push({ ...call, result: text })
      }
      result.calls.push(...ran)
      messages.push(...messagesOf(completion.text, ran))
      if (tokens >= agentTokensMax) return stop(`stopped after ${tokens} tokens`)
    }
    return stop(`stopped after ${agentStepsMax} steps`)
  } catch (error) {
    options.signal.throwIfAborted()
    if (end.signal.aborted) return stop(`stopped after ${agentTimeoutMs / 1000} s`)
    // What the steps before it did was paid for.
    if (result.calls.length > 0 && isOfModel(error)) return stop(error.rawMessage)
    throw error
  } finally {
    clearTimeout(timeout)
    options.signal.removeEventListener('abort', leave)
  }
}

async function endOf(stream: AsyncGenerator<unknown, Completion>): Promise<Completion> {
  for (;;) {
    const { value, done } = await stream.next()
    if (done) return value
  }
}

/** The model failed, or the plan allows no further request. */
const ofModel = new Set([
  Code.Aborted,
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
])
const isOfModel = (error: unknown): error is ConnectError =>
  error instanceof ConnectError && ofModel.has(error.code)

function messagesOf(text: string, calls: AgentResult['calls']): ModelMessage[] {
  const content: AssistantContent = calls.map(({ id, name, input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: isObject(input) ? input : {},
  }))
  return [
    { role: 'assistant', content: text ? [{ type: 'text', text }, ...content] : content },
    {
      role: 'tool',
      content: calls.map(({ id, name, result }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value: result },
      })),
    },
  ]
}

const isObject = (input: unknown) => typeof input === 'object' && input !== null
