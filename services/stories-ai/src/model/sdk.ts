import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fetchUntil } from '@figbase/kit/net'
import { type LanguageModel, Output, streamText } from 'ai'
import type { AiConfig } from './config.js'
import type { ModelPart, ModelRequest, Tokens } from './port.js'
import { failureOf, type ProviderFailure } from './provider-failure.js'

/** A longer answer is not what was asked for. Longer tokens are rare, and most have 2 to 5 characters. */
const charsPerTokenMax = 32
const tokensMax = 2 ** 31 - 1

// The SDK prints what a provider does not support.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** The provider of the settings, through the AI SDK. */
export type Sdk = {
  /** Also yields undefined: the provider sent something that is no part of the answer. */
  partsOf(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart | undefined>
  failureOf(thrown: unknown): ProviderFailure
}

export function openSdk(cfg: AiConfig): Sdk {
  return {
    partsOf: (request, signal) =>
      partsOf(providerOf(cfg, fetchUntil(signal))(request.model), request, cfg, signal),
    failureOf,
  }
}

function providerOf(
  { provider, baseUrl: baseURL, apiKey }: AiConfig,
  fetch: typeof globalThis.fetch,
): (name: string) => LanguageModel {
  if (provider === 'anthropic') {
    return createAnthropic({ baseURL, apiKey: apiKey || 'none', fetch })
  }
  return createOpenAICompatible({
    name: 'provider',
    baseURL,
    fetch,
    ...(apiKey && { apiKey }),
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
}

async function* partsOf(
  model: LanguageModel,
  request: ModelRequest,
  { provider, retriesMax: maxRetries }: AiConfig,
  abortSignal: AbortSignal,
): AsyncGenerator<ModelPart | undefined> {
  const { system, messages, outputTokensMax: maxOutputTokens, tools, json } = request
  const { fullStream } = streamText({
    model,
    system,
    messages,
    maxOutputTokens,
    maxRetries,
    abortSignal,
    // For `reportedIn`.
    includeRawChunks: provider === 'anthropic',
    // Errors are parts of the stream; the standard handler prints them.
    onError() {},
    ...(tools && { tools }),
    ...(json && { output: Output.object({ schema: json }) }),
  })
  let charsLeft = maxOutputTokens * charsPerTokenMax
  const receive = (text: string) => {
    charsLeft -= text.length
    if (charsLeft < 0) throw new Error('the provider sent more than it was asked for')
    // PostgreSQL stores no NUL.
    return text.replaceAll('\0', '')
  }
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw abortSignal.reason
    if (part.type === 'text-delta') yield { type: 'text', text: receive(part.text) }
    else if (part.type === 'tool-input-delta') receive(part.delta)
    else if (part.type === 'tool-call') yield { type: 'tool', call: toolCallOf(part) }
    else if (part.type === 'raw') yield reportedIn(part.rawValue)
    else if (part.type === 'finish') {
      const { inputTokens: input, outputTokens: output } = part.totalUsage
      yield tokensOf({ input, output })
      // Without a reason, the connection was cut.
      if (part.finishReason === 'error' || part.rawFinishReason === undefined) {
        throw new Error('the provider ended with an error')
      }
      yield { type: 'end', isComplete: complete.has(part.finishReason) }
    } else yield undefined
  }
}

const complete = new Set(['stop', 'tool-calls'])

const toolCallOf = (part: { toolCallId: string; toolName: string; input: unknown }) => ({
  id: part.toolCallId,
  name: part.toolName,
  input: part.input,
})

/** Anthropic reports the input tokens with its first event, so that an aborted request has them. */
function reportedIn(value: unknown): ModelPart | undefined {
  const { type, message, usage } = (value ?? {}) as {
    type?: string
    message?: { usage?: { input_tokens?: number } }
    usage?: { output_tokens?: number }
  }
  if (type === 'message_start') return tokensOf({ input: message?.usage?.input_tokens })
  return type === 'message_delta' ? tokensOf({ output: usage?.output_tokens }) : undefined
}

/** What a provider reports, as far as it is a number of tokens. */
function tokensOf({ input, output }: { [name in keyof Tokens]?: number | undefined }) {
  const tokens: Partial<Tokens> = {}
  if (isCount(input)) tokens.input = input
  if (isCount(output)) tokens.output = output
  return { type: 'tokens', tokens } as const
}

/** Some report 0 for what they did not count. */
const isCount = (value: number | undefined): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= tokensMax
