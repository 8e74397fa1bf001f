import assert from 'node:assert/strict'
import type { Answer, Client, RequestOptions } from './client.js'
import type { DataToSend } from './resources.js'

export const tus = { 'tus-resumable': '1.0.0' }

/** The value of `Upload-Metadata`. */
export const metadataOf = (members: Record<string, string>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

type Sent = { headers?: Record<string, string>; status?: RequestOptions['status'] }

/** POST upload/: creates an upload with the given length, or with a deferred length. */
export async function beginUpload<T = unknown>(
  me: Client,
  target: Record<string, string>,
  length: number | undefined,
  { headers = {}, status = 201 }: Sent = {},
): Promise<Answer<T>> {
  const size: Record<string, string> =
    length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }
  const all = { ...tus, 'upload-metadata': metadataOf(target), ...size, ...headers }
  return me.request<T>('POST', 'upload/', { headers: all, status })
}

/** Creates an upload and returns its URL. */
export async function newUpload(
  me: Client,
  target: Record<string, string>,
  length: number | undefined,
): Promise<string> {
  const { headers } = await beginUpload(me, target, length)
  return headers.get('location') ?? assert.fail('missing Location header')
}

export async function appendToUpload<T = unknown>(
  me: Client,
  url: string,
  offset: number,
  raw: Uint8Array,
  { headers = {}, status = 204 }: Sent = {},
): Promise<Answer<T>> {
  const type = { 'content-type': 'application/offset+octet-stream' }
  const all = { ...tus, ...type, 'upload-offset': String(offset), ...headers }
  return me.request<T>('PATCH', url, { headers: all, raw, status })
}

/** The number of bytes received. */
export async function offsetOf(me: Client, url: string): Promise<number> {
  const { headers } = await me.request('HEAD', url, { headers: tus, status: 200 })
  return Number(headers.get('upload-offset'))
}

/** An element of `data` with an upload. */
export const uploadedData = (upload: string, name = 'large.bin'): DataToSend => ({
  name,
  type: 'file',
  metadata: { path: null },
  upload,
})
