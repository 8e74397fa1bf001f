import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Rendered } from '../endpoint.js'
import { isReceiving } from './body.js'
import { sendContent } from './content.js'
import { eventStreamHeaders, sendEvents } from './event-stream.js'
import { corsHeaders, safeHeaders } from './headers.js'
import { writeJson } from './json/json-writer.js'
import { closeAfter } from './keep-alive.js'
import { prefetchFirst } from './prefetch-first.js'

const gzipAsync = promisify(gzip)
/** Smaller responses are not worth compressing. */
const gzipBytesMin = 1400

/** Writes the response; rejects if it breaks in the middle. */
export async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  reply: Rendered,
): Promise<void> {
  // Do not wait for the rest of an unread body: close the connection (see `lingering-close.ts`).
  if (isReceiving(req)) closeAfter(res)
  if (reply.cookies) res.setHeader('set-cookie', reply.cookies)
  const headers: Record<string, string> = {
    vary: 'Accept-Encoding',
    ...safeHeaders,
    ...corsHeaders,
    ...reply.headers,
  }
  const link = res.getHeader('link')
  if (link !== undefined && headers.link) headers.link = `${link}, ${headers.link}`
  // Without any length header some clients assume that the connection is closed.
  const streamed = isHeadOfStream(req, res) ? { 'transfer-encoding': 'chunked' } : {}
  if ('empty' in reply) {
    res.writeHead(reply.status, headers).end()
    return
  }
  if ('bytes' in reply) {
    const { bytes, type } = reply
    const entity = { 'content-type': type, 'content-length': bytes.length }
    res.writeHead(reply.status, { ...headers, ...entity }).end(bytes)
    return
  }
  if ('content' in reply) {
    await sendContent(req, res, headers, reply.content)
    return
  }
  if ('events' in reply) {
    res.writeHead(reply.status, { ...headers, ...eventStreamHeaders, ...streamed })
    await sendEvents(req, res, reply)
    return
  }
  if ('text' in reply) {
    await sendText(req, res, reply.status, { ...headers, 'content-type': reply.type }, reply.text)
    return
  }
  if ('chunks' in reply) {
    const entity = { 'content-type': reply.type, ...streamed }
    await sendChunks(req, res, reply.status, { ...headers, ...entity }, reply.chunks)
    return
  }
  const { body, lengthBytes } = writeJson(reply.body)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  if (typeof body !== 'string') {
    const length = lengthBytes === undefined ? streamed : { 'content-length': lengthBytes }
    await sendChunks(req, res, reply.status, { ...headers, ...type, ...length }, body)
    return
  }
  await sendText(req, res, reply.status, { ...headers, ...type }, body)
}

async function sendChunks(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  chunks: AsyncIterable<string>,
) {
  if (req.method === 'HEAD') {
    res.writeHead(status, headers).end()
    return
  }
  // An error before the first chunk still gets an error response.
  const prefetched = await prefetchFirst(chunks)
  res.writeHead(status, headers)
  await pipeline(Readable.from(prefetched, { objectMode: false }), res)
}

async function sendText(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  text: string,
) {
  if (text.length >= gzipBytesMin && acceptsGzip(req)) {
    const packed = await gzipAsync(text, { level: 4 })
    const entity = { 'content-encoding': 'gzip', 'content-length': packed.length }
    res.writeHead(status, { ...headers, ...entity }).end(packed)
    return
  }
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** HTTP/1.0 has no chunked encoding. */
const isHeadOfStream = (req: IncomingMessage, res: ServerResponse) =>
  req.method === 'HEAD' && res.useChunkedEncodingByDefault

function acceptsGzip(req: IncomingMessage) {
  const accepted = req.headers['accept-encoding']
  if (!accepted) return false
  const match = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(String(accepted))
  return match !== null && Number(match[1] ?? 1) > 0
}
