import { invalid } from '@figbase/kit/errors'
import { type Locker, Server } from '@tus/server'
import type { Input, Reply } from '../endpoint.js'
import { rejectEncoded } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import { UploadStore } from './store.js'

export const tusVersion = '1.0.0'

/** Sent with every response of the protocol. */
export const tusHeaders: Record<string, string> = { 'tus-resumable': tusVersion }

const forwardedHeaders = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-offset',
  'upload-concat',
  'content-type',
  'content-length',
] as const

/** Handles a request of tus 1.0: the library implements the protocol, the revisions service stores the state. */
export async function answerTus(input: Input, method: string): Promise<Reply> {
  checkHead(input, method)
  const { params, version, cfg } = input
  const store = new UploadStore(input)
  let failure: unknown
  const path = `/api/${version}/upload`
  const server = new Server({
    path,
    datastore: store,
    locker: noLocks,
    maxSize: cfg.uploadBytesMax,
    getFileIdFromRequest: () => params.id,
    generateUrl: (_, { id }) => `${path}/${id}/`,
    onResponseError: (_, error) => {
      failure = error
      return undefined
    },
  })
  const headers = new Headers()
  for (const name of forwardedHeaders) {
    const value = input.headers[name]
    if (value !== undefined) headers.set(name, String(value))
  }
  const url = `http://figbase${path}/${params.id ?? ''}`
  const response = await server.handleWeb(new Request(url, { method, headers }))
  if (failure instanceof Error && !('status_code' in failure)) throw failure
  if (response.status >= 400) throw await errorOf(response)
  return { status: response.status, headers: headersOf(response, store), empty: true }
}

/** Checks headers that the library does not check, or checks differently. */
function checkHead({ headers }: Input, method: string) {
  if (headers['tus-resumable'] !== tusVersion) {
    throw new HttpError(412, 'unknown_version', `Tus-Resumable: must be ${tusVersion}`, {
      'tus-version': tusVersion,
    })
  }
  if (headers['upload-checksum'] !== undefined) {
    throw invalid(
      'Upload-Checksum',
      'is not supported: compare the hash of the data object instead',
    )
  }
  if (method !== 'PATCH') return
  rejectEncoded(headers)
  if (headers['content-type'] !== bytesType) {
    throw new HttpError(415, 'unsupported_media_type', `Content-Type: must be ${bytesType}`)
  }
  if (headers['upload-offset'] === undefined) throw invalid('Upload-Offset', 'is required')
}

export const bytesType = 'application/offset+octet-stream'

/** No locking here: the service lets only one request at a time append to an upload. */
const noLocks: Locker = {
  newLock: () => ({ lock: async () => {}, unlock: async () => {} }),
}

const errorNames: Record<number, string> = {
  404: 'not_found',
  409: 'offset_conflict',
  413: 'too_large',
  501: 'not_supported',
}

async function errorOf(response: Response) {
  const { status } = response
  const text = (await response.text()).trim()
  const name = errorNames[status]
  return name ? new HttpError(status, name, text) : invalid('', text)
}

function headersOf(response: Response, { latest }: UploadStore) {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    // Set for all routes elsewhere.
    if (!name.startsWith('access-control-') && name !== 'connection') headers[name] = value
  }
  if (response.status !== 204) headers['content-length'] = '0'
  if (latest === undefined) return headers
  if (latest.expiresOn && latest.offsetBytes !== latest.lengthBytes) {
    headers['upload-expires'] = new Date(Number(latest.expiresOn.seconds) * 1000).toUTCString()
  }
  // For HEAD. Returned unchanged, because the metadata need not be text.
  if (response.status === 200 && latest.metadata !== '') {
    headers['upload-metadata'] = latest.metadata
  }
  return headers
}
