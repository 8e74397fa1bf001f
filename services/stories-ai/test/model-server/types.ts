import type { IncomingHttpHeaders } from 'node:http'
import type { AnthropicBody } from './anthropic/body.js'
import type { OpenaiBody } from './openai/body.js'

export type ToolCall = { name: string; input: unknown }
export type Usage = { input: number; output: number }

/** What both protocols say in their own ways. */
export type Content = {
  system: string
  /** The text of all messages but the system's, one a line. */
  text: string
  images: Buffer[]
  /** The tools that the model has called in this conversation. */
  called: ToolCall[]
  /** The tool that the request forces the model to call. */
  forcedTool?: { name: string; schema: unknown }
  /** The JSON schema of the text that is asked for. */
  schema?: unknown
}

export type ModelRequest = Content & { model: string; headers: IncomingHttpHeaders } & (
    | { protocol: 'openai'; body: OpenaiBody }
    | { protocol: 'anthropic'; body: AnthropicBody }
  )

/** What the model answers. Without `text`, `tools`, `json` and `obey`, the content is a default one. */
export type Reply = {
  /** Parts are streamed one by one. */
  text?: string | string[]
  tools?: ToolCall[]
  /** As text, or as the input of the tool that the request forces. */
  json?: unknown
  /** Does what the text of the request says: `CALL_TOOL <name> <json>`, `SAY <text>`. */
  obey?: boolean
  /** Repeats everything that it got. */
  echo?: boolean
  /** By default, the number of words. */
  usage?: Usage | 'none'
  /** An error in the shape of the protocol. */
  status?: number
  retryAfterSeconds?: number
  /** An error event after the parts. */
  errorInStream?: boolean
  /** Silence before the first byte. */
  stallMs?: number
  /** Silence between the parts. */
  delayMs?: number
  /** Sends so many parts, then nothing until the client leaves. */
  stallAfter?: number
  /** Sends so many parts, then destroys the connection. */
  cutAfter?: number
  /** Sent as it is, in place of the protocol. */
  raw?: string
}
export type Scripted = Reply | ((request: ModelRequest) => Reply)

/** A reply with its content and usage decided. */
export type Answer = { parts: string[]; tools: ToolCall[]; usage: Usage | 'none' }

/** The bytes of a stream, by part. `errorAfter` comes in place of `end`. */
export type Stream = { start: string; parts: string[]; end: string; errorAfter: string }

/** What a request must be told in place of an answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
