import {
  type Credentials,
  createFigbase,
  download,
  type Figbase,
  type FigbaseOptions,
} from '@figbase/client'
import type { Client } from './client.js'
import { contractOf } from './contract.js'
import { deployment, LATEST } from './deployment.js'

/**
 * The client that users have. Each answer is compared with the OpenAPI document, except for the bytes of those that are
 * not JSON. It repeats nothing, so that a test fails if Figbase is unavailable.
 */
export const figbaseOf = (credentials?: Credentials): Figbase => create({ credentials })

/** The same client, with the credentials of a raw one. */
export const figbaseLike = ({ authorization }: Client): Figbase =>
  create({ headers: authorization === undefined ? {} : { authorization } })

function create(options: Pick<FigbaseOptions, 'credentials' | 'headers'>): Figbase {
  const url = deployment.origin.origin
  return createFigbase({ ...options, url, fetch: fetchChecked, retriesMax: 0 })
}

const fetchChecked: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { status, headers } = response
  const contentType = headers.get('content-type') ?? ''
  const isJson = contentType.startsWith('application/json')
  // JSON of a user.
  if (isJson && headers.has('content-disposition')) return response
  const { pathname, search } = new URL(String(input))
  const bytes = isJson ? Buffer.from(await response.clone().arrayBuffer()) : Buffer.alloc(0)
  const contract = await contractOf(LATEST)
  const method = init?.method ?? 'GET'
  contract.check({ method, path: pathname + search, status, contentType, bytes, headers })
  return response
}

/** All bytes of a data object; the client compares them with their hash. */
export async function bytesOf(me: Figbase, dataObject: string): Promise<Buffer> {
  const { body } = await download(me, dataObject)
  return Buffer.from(await new Response(body).arrayBuffer())
}
