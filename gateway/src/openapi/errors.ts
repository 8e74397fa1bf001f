import type { Endpoint } from '../endpoint.js'
import { commonHeaders, headerRefs } from './headers.js'
import type { Json } from './json.js'

/** The `error` values of a route by status: those that follow from its declaration, and its own. */
export function errorsOf(endpoint: Endpoint): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  const add = (status: number, ...values: string[]) => {
    const known = found.get(status) ?? new Set()
    for (const value of values) known.add(value)
    found.set(status, known)
  }
  if (endpoint.query || endpoint.requestHeaders) add(400, 'invalid_request')
  if (endpoint.body) add(400, 'invalid_request', 'malformed_json')
  if (endpoint.auth !== 'none') {
    add(401, 'authentication_failed', 'not_authenticated', 'token_not_valid')
    add(403, 'permission_denied')
  }
  if (endpoint.path.includes(':')) add(404, 'not_found')
  if (endpoint.requestHeaders && 'If-Match' in endpoint.requestHeaders.shape) {
    add(412, 'version_mismatch')
  }
  if (206 in endpoint.responses) add(416, 'range_not_satisfiable')
  for (const [status, values] of Object.entries(endpoint.errors ?? {})) {
    add(Number(status), ...values)
  }
  return found
}

const statuses: Record<number, { name: string; description: string; usual: string[] }> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid; `errors` lists each invalid member.',
    usual: ['invalid_request'],
  },
  401: {
    name: 'Unauthorized',
    description: 'The credentials are missing, invalid or expired.',
    usual: ['authentication_failed', 'not_authenticated', 'token_not_valid'],
  },
  402: { name: 'PaymentRequired', description: 'The plan allows no more.', usual: [] },
  403: {
    name: 'Forbidden',
    description: 'The caller lacks the permission, or the plan does not allow it.',
    usual: ['permission_denied'],
  },
  404: {
    name: 'NotFound',
    description: 'The object does not exist, or the caller may not know of it.',
    usual: ['not_found'],
  },
  409: { name: 'Conflict', description: 'The present state does not allow it.', usual: [] },
  412: {
    name: 'PreconditionFailed',
    description: 'The object has changed since the caller read it.',
    usual: ['version_mismatch'],
  },
  413: { name: 'TooLarge', description: 'The body is too large.', usual: ['too_large'] },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has another type.',
    usual: ['unsupported_media_type'],
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The requested range is outside of the bytes.',
    usual: ['range_not_satisfiable'],
  },
  423: { name: 'Locked', description: 'Another request uses the object.', usual: [] },
  429: {
    name: 'TooManyRequests',
    description: 'The caller makes too many requests; `Retry-After` tells when to try again.',
    usual: ['too_many_requests'],
  },
  501: { name: 'NotImplemented', description: 'This installation does not support it.', usual: [] },
  502: { name: 'BadGateway', description: 'The language model failed.', usual: [] },
  503: {
    name: 'Unavailable',
    description: 'A part of Figbase is unavailable.',
    usual: ['unavailable'],
  },
}

/** The errors that every route may respond with, beside its own. */
export const usualErrors: Record<number, string[]> = {
  408: ['request_timeout'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  429: ['too_many_requests'],
  431: ['headers_too_large'],
  500: ['internal'],
  503: ['unavailable', 'storage_unavailable'],
  504: ['deadline_exceeded'],
}

const listOf = (errors: Record<number, string[]>) =>
  Object.entries(errors)
    .map(([status, values]) => `${status} ${values.map((value) => `\`${value}\``).join(', ')}`)
    .join('; ')

const problem = { $ref: '#/components/schemas/Problem' }

export const usualResponse: Json = {
  description: `An error that every route may respond with: ${listOf(usualErrors)}. \`Retry-After\` tells when to try again.`,
  headers: headerRefs([...commonHeaders, 'Retry-After']),
  content: { 'application/json': { schema: problem } },
}

/** The name and the content of the response with one of these `error` values. */
export function errorResponse(status: number, values: Set<string>): { name: string; body: Json } {
  const known = statuses[status]
  if (!known) throw new Error(`errors with the status ${status} have no description`)
  const { name, description, usual } = known
  const own = [...values].filter((value) => !usual.includes(value)).sort()
  const missing = usual.filter((value) => !values.has(value))
  if (missing.length > 0 && own.length === 0) throw new Error(`${status} without ${missing}`)
  return {
    name: `${missing.length > 0 ? 'Only' : ''}${name}${own.map(pascalCase).join('')}`,
    body: {
      description,
      headers: headerRefs(commonHeaders),
      content: {
        'application/json': {
          schema: {
            allOf: [
              problem,
              { type: 'object', properties: { error: { enum: [...values].sort() } } },
            ],
          },
        },
      },
    },
  }
}

const pascalCase = (text: string) =>
  text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
