import type { ModelMessage, ToolSet } from 'ai'
import type { z } from 'zod'

/** One request to a language model. */
export type ModelRequest = {
  model: string
  /** The rules of the task; nothing that a user wrote. */
  system: string
  messages: ModelMessage[]
  outputTokensMax: number
  /** The answer must be JSON of this shape. The caller validates it. */
  json?: z.ZodType | undefined
  /** Without `execute`: the caller runs them. */
  tools?: ToolSet | undefined
  signal: AbortSignal
}

export type Tokens = { input: number; output: number }

export type ToolCall = { id: string; name: string; input: unknown }

/** A part of an answer, in the order of its arrival. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'tool'; call: ToolCall }
  /** What the provider reported so far; the last one counts. */
  | { type: 'tokens'; tokens: Partial<Tokens> }
  /** The last part. Not complete: cut at the maximum length, or by a filter of the provider. */
  | { type: 'end'; isComplete: boolean }

/**
 * A provider of language models. Fails with the errors of `model/errors.ts`; if its signal is aborted, the request to
 * the provider ends at once, and the stream throws the reason of the signal. What the reader does not take yet stays
 * with the provider.
 */
export type Model = { stream(request: ModelRequest): AsyncGenerator<ModelPart> }
