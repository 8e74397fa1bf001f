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

/** POST upload/: an upload of so many bytes, or of a length that is told later. */
export async function begin<T = unknown>(
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

/** The address of a new upload. */
export async function newUpload(
  me: Client,
  target: Record<string, string>,
  length: number | undefined,
): Promise<string> {
  const { headers } = await begin(me, target, length)
  return headers.get('location') ?? assert.fail('there should be a Location')
}

export async function add<T = unknown>(
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

/** How much has come. */
export async function offsetOf(me: Client, url: string): Promise<number> {
  const { headers } = await me.request('HEAD', url, { headers: tus, status: 200 })
  return Number(headers.get('upload-offset'))
}

/** The address of an upload that has all its bytes. */
export async function uploaded(
  me: Client,
  target: Record<string, string>,
  bytes: Uint8Array,
): Promise<string> {
  const url = await newUpload(me, target, bytes.length)
  if (bytes.length > 0) await add(me, url, 0, bytes)
  return url
}

/** An element of `data` that names an upload. */
export const from = (upload: string, name = 'large.bin'): DataToSend => ({
  name,
  type: 'file',
  metadata: { path: null },
  upload,
})
