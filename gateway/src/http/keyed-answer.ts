import type { KeyedAnswer } from '@figbase/proto/identity/keyed-requests'
import type { Reply } from '../endpoint.js'
import { writeJson } from './json/json-writer.js'

export type Answer = Pick<KeyedAnswer, 'status' | 'headers' | 'body'>

/** A successful reply as an answer to store; undefined for a stream, and if it has more than `bytesMax`. */
export function answerOf(reply: Reply, bytesMax: number): Answer | undefined {
  const { status, headers = {} } = reply
  if (status >= 300) return undefined
  if ('empty' in reply) return { status, headers, body: '' }
  if (!('body' in reply)) return undefined
  const { body, lengthBytes } = writeJson(reply.body)
  if (typeof body !== 'string' || lengthBytes === undefined || lengthBytes > bytesMax)
    return undefined
  return { status, headers, body }
}

export function replyOf(
  { status, headers, body }: Answer,
  more: Record<string, string> = {},
): Reply {
  const all = { ...headers, ...more }
  if (!body) return { status, headers: all, empty: true }
  return { status, headers: all, type: 'application/json; charset=utf-8', text: body }
}
