import assert from 'node:assert/strict'
import { contractOf } from './contract.js'
import { deployment, LATEST, type Version } from './deployment.js'

/** A response with the expected status, and a body that matches the OpenAPI document. */
export interface Answer<T> {
  status: number
  headers: Headers
  bytes: Buffer
  text: string
  /** The parsed JSON; undefined if the response is empty or not JSON. */
  body: T
}

export interface RequestOptions {
  /** Sent as JSON. */
  json?: unknown
  /** A raw body; Content-Type must be in `headers`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
  /** The expected status. */
  status?: number | Either
}

/** Several acceptable statuses, if the test does not control which one it gets. */
export interface Either {
  why: string
  statuses: readonly number[]
}

export const either = (why: string, ...statuses: number[]): Either => ({ why, statuses })

/** A client of one version of the API. Each method throws unless it gets the expected status. */
export interface Client {
  version: Version
  authorization: string | undefined
  request<T>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>
  get<T>(path: string, status?: number | Either): Promise<Answer<T>>
  post<T>(path: string, json: unknown, status?: number | Either): Promise<Answer<T>>
  put<T>(path: string, json: unknown, status?: number | Either): Promise<Answer<T>>
  patch<T>(path: string, json: unknown, status?: number | Either): Promise<Answer<T>>
  delete(path: string, status?: number | Either): Promise<Answer<Refusal>>
}

export interface Refusal {
  error: string
  detail?: string
  code?: string
  errors?: { field: string; problem: string }[]
}

/** A client, anonymous or with the given `Authorization` header. */
export function client(version: Version = LATEST, authorization?: string): Client {
  const request: Client['request'] = (method, path, options = {}) =>
    send(version, authorization, method, path, options)
  return {
    version,
    authorization,
    request,
    get: (path, status = 200) => request('GET', path, { status }),
    post: (path, json, status = 201) => request('POST', path, { json, status }),
    put: (path, json, status = 200) => request('PUT', path, { json, status }),
    patch: (path, json, status = 200) => request('PATCH', path, { json, status }),
    delete: (path, status = 204) => request('DELETE', path, { status }),
  }
}

/** The whole text of an error. */
export function messageOf({ body }: Answer<Refusal>): string {
  return `${body.error} ${body.detail ?? ''}`
}

/** A path of the API: relative to its version unless it begins with a slash. */
export function pathOf(version: Version, path: string): string {
  return path.startsWith('/') ? path : `/api/${version}/${path}`
}

const successOf: Record<string, number> = {
  GET: 200,
  POST: 201,
  PUT: 200,
  PATCH: 200,
  DELETE: 204,
  HEAD: 200,
}

async function send<T>(
  version: Version,
  authorization: string | undefined,
  method: string,
  relative: string,
  options: RequestOptions,
): Promise<Answer<T>> {
  const path = pathOf(version, relative)
  const contract = await contractOf(version)
  const response = await fetch(new URL(path, deployment.origin), {
    method,
    redirect: 'manual',
    ...bodyOf(options),
    headers: headersOf(authorization, options),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const contentType = response.headers.get('content-type') ?? ''
  const { status } = response
  const sample = bytes.subarray(0, 600).toString()
  const got = `${method} ${path} on ${deployment.topology} answered ${status}: ${sample}`

  assert.ok(status < 300 || status === 304 || status >= 400, `${got}: unexpected redirect`)
  const expected = options.status ?? successOf[method]
  if (typeof expected === 'object') {
    const { why, statuses } = expected
    assert.ok(statuses.includes(status), `${got}; expected ${statuses.join(' or ')}: ${why}`)
  } else assert.equal(status, expected, got)
  contract.check({ method, path, status, contentType, bytes, headers: response.headers })

  const isJson = contentType.startsWith('application/json') && bytes.length > 0
  const text = bytes.toString()
  const body = (isJson ? JSON.parse(text) : undefined) as T
  return { status, headers: response.headers, bytes, text, body }
}

function bodyOf({ json, raw }: RequestOptions): { body?: string | Uint8Array } {
  if (raw !== undefined) return { body: raw }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

function headersOf(
  authorization: string | undefined,
  { json, raw, headers }: RequestOptions,
): Record<string, string> {
  return {
    ...(json === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
    ...(authorization === undefined ? {} : { authorization }),
    ...headers,
  }
}
