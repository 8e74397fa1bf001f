import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HttpError } from './errors.js'
import { BodyError } from './json/body-error.js'
import { checkBounds, type JsonBounds } from './json/bounds.js'
import { findBadText, mayHoldBadText } from './json/text-check.js'
import type { Pace } from './pace.js'

export type BodyKind = 'json' | 'form'

/** Whether the head of the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a body is still coming. Without one, `complete` alone would not tell: it turns late. */
export const isReceiving = (req: IncomingMessage): boolean => !req.complete && hasBody(req)

/** What the body claims to be; 415 for what we do not read. */
export function kindOfBody(req: IncomingMessage, acceptsForm: boolean): BodyKind {
  refuseEncoded(req.headers)
  const type = (req.headers['content-type'] ?? 'application/json').split(';')[0]?.trim()
  if (type && /^application\/([\w.-]+\+)?json$/i.test(type)) return 'json'
  if (acceptsForm && type?.toLowerCase() === 'application/x-www-form-urlencoded') return 'form'
  throw new HttpError(415, 'unsupported_media_type', 'Content-Type: send application/json')
}

export function refuseEncoded({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, 'unsupported_media_type', 'Content-Encoding: send the body as it is')
  }
}

export const tooLarge = (bytesMax: number) =>
  new HttpError(413, 'too_large', `the body is larger than ${bytesMax} bytes`, {
    connection: 'close',
  })

/** Refuses a body that announces too much before a byte of it is read. */
export function checkLength(req: IncomingMessage, bytesMax: number): void {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** The bytes as they come, up to a bound and at a pace; a body that stops early is an error, not an end. */
export async function* boundedBytes(
  req: IncomingMessage,
  bytesMax: number,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of pace.chunksOf(req)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
  if (!req.complete) throw new BodyError('', 'the body ended too early', 'malformed')
}

/** A body that has been read; `isSuspect` when its texts must be looked at. */
export type Body = { value: unknown; isSuspect: boolean }

/** An ordinary body, whole. */
export async function readBody(
  req: IncomingMessage,
  kind: BodyKind,
  limits: JsonBounds & { bytesMax: number; pace: Pace },
): Promise<Body> {
  checkLength(req, limits.bytesMax)
  const chunks: Uint8Array[] = []
  for await (const chunk of boundedBytes(req, limits.bytesMax, limits.pace)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const text = decode(bytes)
  if (kind === 'form') {
    const value = Object.fromEntries(new URLSearchParams(text))
    return { value, isSuspect: /%00|\0/.test(text) }
  }
  checkBounds(bytes, limits)
  return { value: parse(text), isSuspect: mayHoldBadText(text) }
}

/** Refuses text that cannot be stored, with the path of the member that holds it. */
export function checkTexts({ value, isSuspect }: Body): void {
  const bad = isSuspect ? findBadText(value, '') : undefined
  if (bad) throw new BodyError(bad.field, bad.reason, 'invalid')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array) {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new BodyError('', 'The body is not valid UTF-8.', 'malformed')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') {
    throw new BodyError('', 'The body is empty: send a JSON object.', 'malformed')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // It says where, with a few characters of what is there.
    const why = error instanceof Error ? `: ${error.message}` : ''
    throw new BodyError('', `The body is not valid JSON${why}`, 'malformed')
  }
}
