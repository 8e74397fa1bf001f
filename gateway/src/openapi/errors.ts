import type { Endpoint } from '../endpoint.js'
import { commonHeaders, headerRefs } from './headers.js'
import type { Json } from './json.js'

/** The `error` values by status. */
export type Errors = Record<number, string[]>

/** The errors that every route may respond with. */
const ofAll: Errors = {
  408: ['request_timeout'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  429: ['too_many_requests'],
  431: ['headers_too_large'],
  500: ['internal'],
  503: ['storage_unavailable', 'unavailable'],
  504: ['deadline_exceeded'],
}

/** What a route declares, and the errors that follow from it. */
const rules: { name: string; applies(endpoint: Endpoint): boolean; errors: Errors }[] = [
  {
    name: 'Credentials',
    applies: ({ auth }) => auth !== 'none',
    errors: {
      401: ['authentication_failed', 'not_authenticated', 'token_not_valid'],
      403: ['permission_denied'],
    },
  },
  {
    name: 'Id',
    applies: ({ path }) => path.includes(':'),
    errors: { 404: ['not_found'] },
  },
  {
    name: 'Body',
    applies: ({ body }) => body !== undefined,
    errors: { 400: ['invalid_request', 'malformed_json'] },
  },
  {
    name: 'Parameters',
    applies: ({ body, query, requestHeaders }) =>
      body === undefined && (query !== undefined || requestHeaders !== undefined),
    errors: { 400: ['invalid_request'] },
  },
  {
    name: 'IfMatch',
    applies: ({ requestHeaders }) => requestHeaders?.shape['If-Match'] !== undefined,
    errors: { 412: ['version_mismatch'] },
  },
  {
    name: 'Range',
    applies: ({ responses }) => 206 in responses,
    errors: { 416: ['range_not_satisfiable'] },
  },
]

const rulesOf = (endpoint: Endpoint) => rules.filter(({ applies }) => applies(endpoint))

/** The errors that follow from the declaration of a route. */
const derivedErrors = (endpoint: Endpoint): Errors =>
  Object.assign({}, ofAll, ...rulesOf(endpoint).map(({ errors }) => errors))

/**
 * The responses of a route to errors: one for each status with errors of its own, and `default` for those that follow
 * from its declaration. Equal responses are one component.
 */
export function errorResponses(endpoint: Endpoint, components: Json): Json {
  const derived = derivedErrors(endpoint)
  const refTo = (name: string, errors: Errors) => {
    components[name] ??= responseOf(errors)
    return { $ref: `#/components/responses/${name}` }
  }
  const own = Object.entries(endpoint.errors ?? {}).map(([status, values]) => {
    const all = [...new Set([...(derived[Number(status)] ?? []), ...values])].sort()
    return [status, refTo(`${status}.${all.join('.')}`, { [status]: all })]
  })
  const name = `Errors${rulesOf(endpoint)
    .map((rule) => rule.name)
    .join('')}`
  return { ...Object.fromEntries(own), default: refTo(name, derived) }
}

/** `x-errors` are the `error` values by status. */
function responseOf(errors: Errors): Json {
  const values = [...new Set(Object.values(errors).flat())].sort()
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: { error: { enum: values } } },
    ],
  }
  return {
    description: 'The request failed.',
    headers: headerRefs([...commonHeaders, 'Retry-After']),
    content: { 'application/json': { schema } },
    'x-errors': errors,
  }
}
