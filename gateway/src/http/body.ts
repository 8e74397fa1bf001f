import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { hasBody } from '@figbase/kit/http'
import type { BodyReader } from './body-reader.js'
import { HttpError } from './errors.js'
import { FormFile } from './form-file.js'
import { BodyError } from './json/body-error.js'
import { checkBounds, type JsonBounds } from './json/bounds.js'
import { findInvalidText, mayContainInvalidText } from './json/text-check.js'

export type BodyKind = 'json' | 'form' | 'files'

type Accepted = { acceptsForm?: boolean; acceptsFiles?: boolean }

/** Whether the body is still being received. `complete` alone is not enough: without a body it is set late. */
export const isReceiving = (req: IncomingMessage): boolean => !req.complete && hasBody(req)

/** The kind of body that Content-Type declares; 415 for unsupported types. */
export function kindOfBody(req: IncomingMessage, accepted: Accepted = {}): BodyKind {
  rejectEncoded(req.headers)
  const type = (req.headers['content-type'] ?? 'application/json').split(';')[0]?.trim()
  if (type && /^application\/([\w.-]+\+)?json$/i.test(type)) return 'json'
  const { acceptsForm, acceptsFiles } = accepted
  if (acceptsForm && type?.toLowerCase() === 'application/x-www-form-urlencoded') return 'form'
  if (acceptsFiles && type?.toLowerCase() === 'multipart/form-data') return 'files'
  throw new HttpError(415, 'unsupported_media_type', 'Content-Type: must be application/json')
}

export function rejectEncoded({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(
      415,
      'unsupported_media_type',
      'Content-Encoding: not supported, send the body uncompressed',
    )
  }
}

export const tooLarge = (bytesMax: number) =>
  new HttpError(413, 'too_large', `the body is larger than ${bytesMax} bytes`, {
    connection: 'close',
  })

/** Throws a 413 if Content-Length exceeds the limit, before the body is read. */
export function checkLength(req: IncomingMessage, bytesMax: number): void {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** Reads the body with limits on size and throughput. A body that ends too early is an error. */
export async function* boundedBytes(
  req: IncomingMessage,
  bytesMax: number,
  bodyReader: BodyReader,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of bodyReader.chunksOf(req)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
  if (!req.complete) throw new BodyError('', 'the body ended before it was complete', 'malformed')
}

/** A parsed body; `isSuspect` if its texts need the full check of `checkTexts`. */
export type Body = { value: unknown; isSuspect: boolean }

/** Reads and parses a whole body. */
export async function readBody(
  req: IncomingMessage,
  kind: BodyKind,
  limits: JsonBounds & { bytesMax: number; bodyReader: BodyReader },
): Promise<Body> {
  checkLength(req, limits.bytesMax)
  const chunks: Uint8Array[] = []
  for await (const chunk of boundedBytes(req, limits.bytesMax, limits.bodyReader))
    chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (kind === 'files') return parseFiles(bytes, req.headers['content-type'] ?? '')
  const text = decode(bytes)
  if (kind === 'form') {
    const value = Object.fromEntries(new URLSearchParams(text))
    return { value, isSuspect: /%00|\0/.test(text) }
  }
  checkBounds(bytes, limits)
  return { value: parse(text), isSuspect: mayContainInvalidText(text) }
}

/** Throws BodyError for text that cannot be stored, with the path of its member. */
export function checkTexts({ value, isSuspect }: Body): void {
  const bad = isSuspect ? findInvalidText(value, '') : undefined
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

/** The values of a form by input name: texts, and lists of the files that were chosen. */
async function parseFiles(bytes: Buffer, type: string): Promise<Body> {
  const form = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new BodyError('', 'The body is not a valid form.', 'malformed')
    })
  const values = new Map<string, string | FormFile[]>()
  for (const [name, value] of form) {
    const files = values.get(name)
    if (typeof value === 'string') values.set(name, value)
    else if (value.size > 0) {
      const file = new FormFile(value.name, Buffer.from(await value.arrayBuffer()))
      if (Array.isArray(files)) files.push(file)
      else values.set(name, [file])
    }
  }
  return { value: Object.fromEntries(values), isSuspect: false }
}

function parse(text: string): unknown {
  if (text.trim() === '') {
    throw new BodyError('', 'The body is empty: send a JSON object.', 'malformed')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message gives the position and a short excerpt.
    const why = error instanceof Error ? `: ${error.message}` : ''
    throw new BodyError('', `The body is not valid JSON${why}`, 'malformed')
  }
}
