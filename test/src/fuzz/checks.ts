import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import type { Contract } from '../contract.js'
import { JSON_TYPE, mediaType } from '../error-body.js'
import { eventsOf } from '../server-sent-events.js'
import type { WireAnswer } from '../wire.js'
import type { FuzzRequest } from './plans.js'

/** Methods that the checker of the document knows; others are errors of the protocol. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What is wrong with the answer; undefined: nothing. */
export async function problemIn(
  contract: Contract,
  request: FuzzRequest,
  answer: WireAnswer,
): Promise<string | undefined> {
  const { method, target } = request
  const path = pathOf(target)
  const { status, headers } = answer
  const isPacked = headers.get('content-encoding') === 'gzip' && answer.bytes.length > 0
  const bytes = isPacked ? gunzipSync(answer.bytes) : answer.bytes
  if (headers.has('x-injected')) return 'the response has an injected header'
  // The document says what it looks like, but it is always a bug.
  if (status === 500) return 'an internal error'
  // The answer to a preflight request is not in the document.
  if (method === 'OPTIONS' && status < 300) return undefined
  const isProblem = mediaType(headers.get('content-type') ?? '') === PROBLEM_TYPE
  const contentType = isProblem ? JSON_TYPE : (headers.get('content-type') ?? '')
  const known = methods.includes(method) ? method : 'TRACE'
  try {
    const body = isProblem && method !== 'HEAD' ? plainError(status, bytes) : bytes
    contract.check({ method: known, path, status, contentType, bytes: body, headers })
    if (status === 200 && contentType.startsWith('text/event-stream') && method !== 'HEAD') {
      await checkEvents(contract, { method, path }, bytes)
    }
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

/** A target may not have a fragment. If it has one, the members of the answer may be chosen behind it. */
function pathOf(target: string): string {
  const [path = '', ...rest] = target.split(/[#\s]/)
  const chosen = rest.join('&').match(/(?<=[?&])fields=/)
  return chosen ? `${path}${path.includes('?') ? '&' : '?'}fields=` : path
}

const PROBLEM_TYPE = 'application/problem+json'

/** The error as clients get it that do not accept problem details (RFC 9457), which have three more members. */
function plainError(status: number, bytes: Buffer): Buffer {
  const { type, title, status: shown, ...error } = JSON.parse(bytes.toString())
  assert.deepEqual([type, typeof title, shown], ['about:blank', 'string', status])
  return Buffer.from(JSON.stringify(error))
}

type Place = { method: string; path: string }

async function checkEvents(contract: Contract, { method, path }: Place, bytes: Buffer) {
  const events = eventsOf(new Response(new Uint8Array(bytes)))
  for await (const { id, ...event } of events) {
    contract.checkEvent(method, path, id === '' ? event : { id, ...event })
  }
}
