import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { anthropicBody } from './anthropic/body.js'
import { readAnthropic } from './anthropic/read.js'
import { anthropicError, anthropicStream, anthropicWhole } from './anthropic/write.js'
import { openaiBody } from './openai/body.js'
import { readOpenai } from './openai/read.js'
import { openaiError, openaiStream, openaiWhole } from './openai/write.js'
import { type ModelRequest, Refusal } from './types.js'

type Headers = IncomingHttpHeaders

const openai = {
  read(headers: Headers, json: unknown): ModelRequest {
    const body = parsed(openaiBody, json)
    return { protocol: 'openai', model: body.model, ...readOpenai(body), body, headers }
  },
  checkHeaders(headers: Headers, apiKey: string) {
    if (headers.authorization !== `Bearer ${apiKey}`)
      throw new Refusal(401, 'Incorrect API key provided.')
  },
  whole: openaiWhole,
  stream: openaiStream,
  error: openaiError,
}

const anthropic = {
  read(headers: Headers, json: unknown): ModelRequest {
    const body = parsed(anthropicBody, json)
    return { protocol: 'anthropic', model: body.model, ...readAnthropic(body), body, headers }
  },
  checkHeaders(headers: Headers, apiKey: string) {
    if (headers['x-api-key'] !== apiKey) throw new Refusal(401, 'invalid x-api-key')
    if (headers['anthropic-version'] !== '2023-06-01')
      throw new Refusal(400, 'anthropic-version: header is required')
  },
  whole: anthropicWhole,
  stream: anthropicStream,
  error: anthropicError,
}

export type Protocol = typeof openai | typeof anthropic

export const protocolOf = (path: string | undefined): Protocol | undefined => {
  if (path === '/v1/chat/completions') return openai
  return path === '/anthropic/v1/messages' ? anthropic : undefined
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const { data, error } = schema.safeParse(json)
  if (error) throw new Refusal(400, z.prettifyError(error))
  return data as T
}
