import type { Ctx } from '../context.js'
import { costOf, free, openMeter } from '../metering/meter.js'
import { isTooLong } from '../model/errors.js'
import { estimateTokens } from '../model/estimate-tokens.js'
import type { ModelRequest, Tokens, ToolCall } from '../model/port.js'
import type { Prompt } from '../prompts/prompt.js'
import { requireModel } from './ai-state.js'
import type { Payer } from './payer.js'
import { sizeOfPrompt } from './size-of-prompt.js'

export type StreamOptions = {
  payer: Payer
  model: string
  signal: AbortSignal
  tools?: ModelRequest['tools']
  outputTokensMax?: number
  /** Stores a complete answer before it is settled, so that after a crash no request is sent again that was paid. */
  keep?: (text: string) => Promise<void>
}

/** Accepted: the request is in the ledger, and is sent to the provider. */
export type AnswerPart = { type: 'accepted' } | { type: 'text'; text: string }

/** What a model answered, and what it cost. */
export type Completion = {
  text: string
  calls: ToolCall[]
  tokens: Tokens
  /** The provider did not report all tokens. */
  isEstimate: boolean
  /** Not cut by the provider, for example at the maximum length. */
  isComplete: boolean
}

/**
 * Sends one request to the provider and counts it; yields the text as it arrives. If the reader leaves, the request
 * ends, and what the provider reported counts, or else an estimate. A failure of the provider costs nothing.
 */
export async function* streamAnswer(
  ctx: Ctx,
  prompt: Prompt<unknown>,
  options: StreamOptions,
): AsyncGenerator<AnswerPart, Completion> {
  const { payer, model, signal, tools, outputTokensMax = ctx.cfg.ai.outputTokensMax } = options
  const provider = requireModel(ctx)
  const inputTokens = sizeOfPrompt(prompt, ctx.cfg.ai.pictureSizePx)
  let text = ''
  const calls: ToolCall[] = []
  const outputTokens = () =>
    estimateTokens(text) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0)
  const sent = { model, route: prompt.name, inputTokens }
  const meter = await openMeter(ctx, payer, sent, outputTokens)
  let reported: Partial<Tokens> = {}
  let cost = free
  let isFree = true
  let isComplete = false
  try {
    yield { type: 'accepted' }
    isFree = false
    const { system, messages, json } = prompt
    const request = { model, system, messages, outputTokensMax, signal, json, tools }
    for await (const part of provider.stream(request)) {
      if (part.type === 'tokens') reported = { ...reported, ...part.tokens }
      else if (part.type === 'tool') calls.push(part.call)
      else if (part.type === 'end') isComplete = part.isComplete
      else {
        text += part.text
        yield part
      }
    }
    if (isComplete && text) await options.keep?.(text)
  } catch (error) {
    // If the user left, or read slowly, what the provider did until then counts.
    isFree = !signal.aborted && !isTooLong(error)
    throw error
  } finally {
    if (!isFree) cost = costOf(reported, { inputTokens, outputTokens })
    await meter.settle(cost)
  }
  const tokens = { input: cost.inputTokens, output: cost.outputTokens }
  return { text, calls, tokens, isEstimate: cost.estimatedTokens > 0, isComplete }
}
