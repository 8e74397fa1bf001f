import { backoffMs, delay } from './delay.js'
import type { Figbase } from './figbase.js'
import { FigbaseError } from './figbase-error.js'
import { createHasher } from './hash.js'
import { linkedController } from './linked-controller.js'
import { partsOf } from './stream-parts.js'

export type DownloadInit = {
  /** The first byte; default 0. */
  start?: number
  /** The byte after the last one; default: the end. */
  end?: number
  /** Whether the bytes are compared with their hash, if all of them are read; default true. */
  verify?: boolean
  /** How long nothing may arrive before the connection is opened again, in milliseconds; default 60,000. */
  silenceMsMax?: number
  signal?: AbortSignal | undefined
}

export type Download = {
  /** BLAKE3 of the whole data object, in 64 hexadecimal digits. */
  hash: string
  /** Bytes of the whole data object. */
  size: number
  /** The media type. */
  type: string
  /** The bytes, at the pace of the reader. Fails with `hash_mismatch` at the end if they are not those of the hash. */
  body: ReadableStream<Uint8Array>
}

/** Attempts in a row that receive nothing. */
const failuresMax = 5
const silenceMsDefault = 60_000

type Opened = Omit<Download, 'body'> & { parts: ReadableStream<Uint8Array> | null }

/** Downloads the bytes of a data object, or a range of them. A connection that breaks is opened again where it was. */
export async function download(
  figbase: Figbase,
  id: string,
  { start = 0, end, verify = true, silenceMsMax = silenceMsDefault, signal }: DownloadInit = {},
): Promise<Download> {
  const { controller: closing, release } = linkedController(signal)
  const open = (from: number) => request(figbase, id, from, end, closing.signal)
  const first = await open(start)
  const { hash, size, type } = first
  const isWhole = start === 0 && (end === undefined || end >= size)
  const received = resume(
    first,
    start,
    Math.min(end ?? size, size),
    open,
    silenceMsMax,
    closing.signal,
  )
  const checked = verify && isWhole ? verified(received, hash) : received
  return {
    hash,
    size,
    type,
    body: new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await checked.next()
          if (done) controller.close()
          else controller.enqueue(value)
          if (done) release()
        } catch (error) {
          release()
          controller.error(error)
        }
      },
      cancel() {
        release()
        closing.abort()
      },
    }),
  }
}

function request(
  figbase: Figbase,
  id: string,
  start: number,
  end: number | undefined,
  signal: AbortSignal,
): Promise<Opened> {
  const path = `/data/${encodeURIComponent(id)}/`
  const headers: Record<string, string> =
    start === 0 && end === undefined ? {} : { range: `bytes=${start}-${lastOf(end)}` }
  return figbase.send(
    { method: 'GET', path, query: { dl: 1 }, headers, signal },
    async ({ headers, body }) => {
      const [, whole] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
      return {
        hash: headers.get('etag')?.replace(/^(W\/)?"|"$/g, '') ?? '',
        size: Number(whole ?? headers.get('content-length') ?? 0),
        type: headers.get('content-type') ?? '',
        parts: body,
      }
    },
  )
}

const lastOf = (end: number | undefined) => (end === undefined ? '' : end - 1)

async function* resume(
  first: Opened,
  start: number,
  end: number,
  open: (from: number) => Promise<Opened>,
  silenceMsMax: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let { parts }: Pick<Opened, 'parts'> = first
  let at = start
  let failures = 0
  while (at < end) {
    try {
      parts ??= await reopen(open, at, first.hash)
      for await (const part of parts ? partsOf(parts, { silenceMsMax, signal }) : []) {
        at += part.length
        failures = 0
        yield part
      }
      if (at >= end) return
      throw new FigbaseError({ status: 0, error: 'connection_lost' })
    } catch (error) {
      signal.throwIfAborted()
      const isFinal = error instanceof FigbaseError && error.status > 0
      if (isFinal || isMismatch(error) || ++failures > failuresMax) throw error
      parts = null
      await delay(backoffMs(failures), signal)
    }
  }
}

async function reopen(open: (from: number) => Promise<Opened>, at: number, hash: string) {
  const next = await open(at)
  if (next.hash !== hash) throw mismatch('the data object has changed')
  return next.parts
}

async function* verified(parts: AsyncIterable<Uint8Array>, hash: string) {
  const hasher = await createHasher()
  for await (const part of parts) {
    hasher.update(part)
    yield part
  }
  if (hasher.digest('hex') !== hash) throw mismatch('the bytes are not those of their hash')
}

const mismatch = (detail: string) => new FigbaseError({ status: 0, error: 'hash_mismatch', detail })
const isMismatch = (error: unknown) =>
  error instanceof FigbaseError && error.error === 'hash_mismatch'
