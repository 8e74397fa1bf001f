import { backoffMs, delay } from './delay.js'
import type { Figbase } from './figbase.js'
import { FigbaseError } from './figbase-error.js'
import { type RandomAccess, type Source, toRandomAccess } from './source.js'

/** What the bytes are for: the id of one of these. */
export type UploadTarget =
  | { figure: string }
  | { analysis: string }
  | { asset: string }
  | { revision: string }
  | { asset_revision: string }

export type UploadProgress = { sentBytes: number; totalBytes: number }

export type UploadInit = {
  /** The address of an upload that was begun before, to go on with. */
  url?: string | undefined
  /** Is called with the address as soon as there is one, for programs that go on later. */
  onUrl?: (url: string) => void
  onProgress?: (progress: UploadProgress) => void
  signal?: AbortSignal | undefined
  /** Bytes of each request; default 8 MiB. They are held in memory. */
  partBytes?: number
}

const tus = { 'tus-resumable': '1.0.0' }
const partBytesDefault = 8 * 2 ** 20
/** Attempts in a row that send nothing. */
const failuresMax = 10

/**
 * Sends bytes of any size (tus 1.0) and returns the address of the upload, for `upload` of a data object. A connection
 * that breaks is opened again, and the upload goes on where it was.
 */
export async function upload(
  figbase: Figbase,
  target: UploadTarget,
  source: Source,
  init: UploadInit = {},
): Promise<string> {
  const { partBytes = partBytesDefault, onProgress, onUrl, signal } = init
  const file = toRandomAccess(source)
  const known = init.url && (await resumable(figbase, init.url, signal))
  const url = known ? known.url : await begin(figbase, target, file.size, signal)
  let offset = known ? known.offset : 0
  onUrl?.(url)
  let failures = 0
  while (offset < file.size) {
    onProgress?.({ sentBytes: offset, totalBytes: file.size })
    try {
      offset = await append(figbase, url, file, offset, partBytes, signal)
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTemporary(error) || ++failures > failuresMax) throw error
      await delay(backoffMs(failures), signal)
      // The server knows how many bytes have arrived.
      const arrived = await offsetOf(figbase, url, signal)
      if (arrived > offset) failures = 0
      offset = arrived
    }
  }
  onProgress?.({ sentBytes: offset, totalBytes: file.size })
  return url
}

async function begin(figbase: Figbase, target: UploadTarget, size: number, signal?: AbortSignal) {
  const metadata = Object.entries(target).map(([name, id]) => `${name} ${btoa(id)}`)
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata.join() }
  return figbase.send({ method: 'POST', path: '/upload/', headers, signal }, async (response) => {
    const location = response.headers.get('location')
    if (location) return new URL(location, figbase.url).href
    throw new FigbaseError({
      status: 0,
      error: 'invalid_response',
      detail: 'upload has no address',
    })
  })
}

/** Undefined if the upload has expired or was used. */
async function resumable(figbase: Figbase, url: string, signal: AbortSignal | undefined) {
  try {
    return { url, offset: await offsetOf(figbase, url, signal) }
  } catch (error) {
    if (error instanceof FigbaseError && [403, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

const offsetOf = (figbase: Figbase, url: string, signal: AbortSignal | undefined) =>
  figbase.send({ method: 'HEAD', path: url, headers: tus, signal }, readOffset)

async function append(
  figbase: Figbase,
  path: string,
  file: RandomAccess,
  offset: number,
  partBytes: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const body = await file.read(offset, Math.min(offset + partBytes, file.size))
  const headers = {
    ...tus,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  }
  // A repetition would not begin where the server is.
  return figbase.send({ method: 'PATCH', path, headers, body, signal, retriesMax: 0 }, readOffset)
}

async function readOffset({ headers }: Response): Promise<number> {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN)
  if (Number.isSafeInteger(offset)) return offset
  throw new FigbaseError({ status: 0, error: 'invalid_response', detail: 'upload has no offset' })
}

/** 409: another offset; 423: an earlier request still holds the upload. */
const isTemporary = (error: unknown) =>
  error instanceof FigbaseError &&
  (error.status === 0 || [409, 423, 429, 502, 503, 504].includes(error.status))
