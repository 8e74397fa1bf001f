import { invalid } from '@figbase/kit'
import { type Locker, Server } from '@tus/server'
import type { Input, Reply } from '../endpoint.js'
import { refuseEncoded } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import { UploadStore } from './store.js'

export const tusVersion = '1.0.0'

/** On every answer of the protocol. */
export const tusHeaders: Record<string, string> = { 'tus-resumable': tusVersion }

const passed = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-offset',
  'upload-concat',
  'content-type',
  'content-length',
] as const

/** One request of tus 1.0: the library knows the protocol, the revisions service all that is lasting. */
export async function answerTus(input: Input, method: string): Promise<Reply> {
  checkHead(input, method)
  const { params, version, cfg } = input
  const store = new UploadStore(input)
  let failure: unknown
  const path = `/api/${version}/upload`
  const server = new Server({
    path,
    datastore: store,
    locker: unlocked,
    maxSize: cfg.uploadBytesMax,
    getFileIdFromRequest: () => params.id,
    generateUrl: (_, { id }) => `${path}/${id}/`,
    onResponseError: (_, error) => {
      failure = error
      return undefined
    },
  })
  const headers = new Headers()
  for (const name of passed) {
    const value = input.headers[name]
    if (value !== undefined) headers.set(name, String(value))
  }
  const url = `http://figbase${path}/${params.id ?? ''}`
  const response = await server.handleWeb(new Request(url, { method, headers }))
  if (failure instanceof Error && !('status_code' in failure)) throw failure
  if (response.status >= 400) throw await refusalOf(response)
  return { status: response.status, headers: headersOf(response, store), empty: true }
}

/** What the library looks at differently, or not at all. */
function checkHead({ headers }: Input, method: string) {
  if (headers['tus-resumable'] !== tusVersion) {
    throw new HttpError(412, 'unknown_version', `Tus-Resumable: must be ${tusVersion}`, {
      'tus-version': tusVersion,
    })
  }
  if (headers['upload-checksum'] !== undefined) {
    throw invalid('Upload-Checksum', 'is not supported: the hash of each data object tells')
  }
  if (method !== 'PATCH') return
  refuseEncoded(headers)
  if (headers['content-type'] !== bytesType) {
    throw new HttpError(415, 'unsupported_media_type', `Content-Type: send ${bytesType}`)
  }
  if (headers['upload-offset'] === undefined) throw invalid('Upload-Offset', 'is required')
}

export const bytesType = 'application/offset+octet-stream'

/** The service lets one request at a time add to an upload. */
const unlocked: Locker = {
  newLock: () => ({ lock: async () => {}, unlock: async () => {} }),
}

const nameOf: Record<number, string> = {
  404: 'not_found',
  409: 'offset_conflict',
  413: 'too_large',
  501: 'not_supported',
}

async function refusalOf(response: Response) {
  const { status } = response
  const text = (await response.text()).trim()
  const name = nameOf[status]
  return name ? new HttpError(status, name, text) : invalid('', text)
}

function headersOf(response: Response, { latest }: UploadStore) {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    // All routes have the same of these.
    if (!name.startsWith('access-control-') && name !== 'connection') headers[name] = value
  }
  if (response.status !== 204) headers['content-length'] = '0'
  if (latest === undefined) return headers
  if (latest.expiresOn && latest.offsetBytes !== latest.lengthBytes) {
    headers['upload-expires'] = new Date(Number(latest.expiresOn.seconds) * 1000).toUTCString()
  }
  // Of HEAD; as it was sent, for what it says need not be text.
  if (response.status === 200 && latest.metadata !== '') {
    headers['upload-metadata'] = latest.metadata
  }
  return headers
}
