import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ByteRange, matchesEtag, requestedRange } from './conditions.js'
import { HttpError } from './errors.js'

/** Immutable bytes. `read` resolves when the first chunk is available. */
export type Content = {
  /** The hash of the bytes. */
  etag: string
  type: string
  lengthBytes: number
  read(range: ByteRange): Promise<AsyncIterable<Uint8Array>>
}

/** Sends content or the requested range of it; 416 for a range outside it. */
export async function sendContent(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Record<string, string>,
  { etag, type, lengthBytes, read }: Content,
): Promise<void> {
  const tag = `"${etag}"`
  const all: Record<string, string> = { ...headers, etag: tag, 'accept-ranges': 'bytes' }
  if (matchesEtag(req.headers['if-none-match'], tag)) {
    // It says nothing about bytes that are not sent.
    const { 'content-disposition': _, ...unchanged } = all
    res.writeHead(304, unchanged).end()
    return
  }
  const range = req.method === 'HEAD' ? undefined : requestedRange(req.headers, tag, lengthBytes)
  if (range === 'none') {
    const detail = `Range: not satisfiable, the content has ${lengthBytes} bytes`
    const size = { 'content-range': `bytes */${lengthBytes}` }
    throw new HttpError(416, 'range_not_satisfiable', detail, size)
  }
  const part = range ?? { offset: 0, length: lengthBytes }
  const entity = { ...all, 'content-type': type, 'content-length': part.length }
  if (req.method === 'HEAD') {
    res.writeHead(200, entity).end()
    return
  }
  const bytes = await read(part)
  if (range) res.writeHead(206, { ...entity, 'content-range': rangeText(part, lengthBytes) })
  else res.writeHead(200, entity)
  await pipeline(Readable.from(bytes, { objectMode: false }), res)
}

const rangeText = ({ offset, length }: ByteRange, lengthBytes: number) =>
  `bytes ${offset}-${offset + length - 1}/${lengthBytes}`
