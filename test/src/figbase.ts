import { type Credentials, createFigbase, type Figbase } from '@figbase/client'
import { contractOf } from './contract.js'
import { deployment, LATEST } from './deployment.js'

/** The client that users have. Each answer in JSON is compared with the OpenAPI document. */
export function figbaseOf(credentials?: Credentials): Figbase {
  return createFigbase({ url: deployment.origin.origin, credentials, fetch: fetchChecked })
}

const fetchChecked: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const contentType = response.headers.get('content-type') ?? ''
  if (!contentType.startsWith('application/json')) return response
  const { pathname, search } = new URL(String(input))
  const bytes = Buffer.from(await response.clone().arrayBuffer())
  const { status, headers } = response
  const contract = await contractOf(LATEST)
  const method = init?.method ?? 'GET'
  contract.check({ method, path: pathname + search, status, contentType, bytes, headers })
  return response
}
