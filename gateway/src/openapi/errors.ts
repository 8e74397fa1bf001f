import type { Endpoint } from '../endpoint.js'
import { commonHeaders, headerRefs } from './headers.js'
import type { Json } from './json.js'

/** The `error` values by status. */
export type Errors = Record<number, string[]>

/** The errors of requests that every route may respond with. */
const ofAll: Errors = {
  400: ['malformed_request'],
  408: ['request_timeout'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  417: ['expectation_failed'],
  429: ['too_many_failures', 'too_many_requests'],
  431: ['headers_too_large'],
}

/** The errors of the server that every route may respond with. */
const ofServer: Errors = {
  500: ['internal'],
  503: ['identity_provider_unavailable', 'storage_unavailable', 'unavailable'],
  504: ['deadline_exceeded'],
}

/** What a route declares, and the errors that follow from it, which `4XX` lists. */
const ofRange: Rule[] = [
  {
    name: '',
    applies: ({ auth }) => auth !== 'none',
    errors: {
      401: ['authentication_failed', 'not_authenticated', 'token_not_valid'],
      403: ['insufficient_key_access', 'permission_denied'],
    },
  },
  {
    name: '.public',
    applies: ({ auth }) => auth === 'none',
    errors: {},
  },
  {
    name: '.id',
    applies: ({ path }) => path.includes(':'),
    errors: { 404: ['not_found'] },
  },
  {
    name: '.body',
    applies: ({ body }) => body !== undefined,
    errors: { 400: ['invalid_request', 'malformed_json'] },
  },
  {
    name: '.input',
    applies: ({ body, query, requestHeaders }) =>
      body === undefined && (query !== undefined || requestHeaders !== undefined),
    errors: { 400: ['invalid_request'] },
  },
]

/** The same for errors of fewer routes, which the operation itself lists. */
const ofOperation: Omit<Rule, 'name'>[] = [
  {
    applies: ({ idempotencyKey }) => idempotencyKey === 'supported',
    errors: { 422: ['idempotency_key_reused'] },
  },
  {
    applies: ({ idempotencyKey }) => idempotencyKey === 'secret',
    errors: { 400: ['idempotency_key_unsupported'] },
  },
  {
    applies: ({ requestHeaders }) => requestHeaders?.shape['If-Match'] !== undefined,
    errors: { 412: ['version_mismatch'] },
  },
  {
    applies: ({ responses }) => 206 in responses,
    errors: { 416: ['range_not_satisfiable'] },
  },
]

type Rule = { name: string; applies(endpoint: Endpoint): boolean; errors: Errors }

/** The `error` values by status, each once and sorted. */
function merged(all: Errors[]): Errors {
  const values: Errors = {}
  for (const errors of all) {
    for (const [status, names] of Object.entries(errors)) {
      const others = values[Number(status)] ?? []
      values[Number(status)] = [...new Set([...others, ...names])].sort()
    }
  }
  return values
}

const rangeRules = (endpoint: Endpoint) => ofRange.filter(({ applies }) => applies(endpoint))

const rangeErrors = (endpoint: Endpoint): Errors =>
  merged([ofAll, ...rangeRules(endpoint).map(({ errors }) => errors)])

/** `x-errors` of an operation: its errors beside those of `4XX` and `5XX`. */
export function ownErrors(endpoint: Endpoint): Json {
  const known = merged([rangeErrors(endpoint), ofServer])
  const derived = ofOperation.filter(({ applies }) => applies(endpoint))
  const all = merged([...derived.map(({ errors }) => errors), endpoint.errors ?? {}])
  const own = Object.entries(all)
    .map(([status, names]) => [
      status,
      names.filter((one) => !known[Number(status)]?.includes(one)),
    ])
    .filter(([, names]) => names?.length)
  return own.length > 0 ? { 'x-errors': Object.fromEntries(own) } : {}
}

/** The responses of a route to errors. Equal responses are one component. */
export function errorResponses(endpoint: Endpoint, components: Json): Json {
  const refTo = (name: string, errors: Errors) => {
    components[name] ??= rangeResponse(errors)
    return { $ref: `#/components/responses/${name}` }
  }
  const names = rangeRules(endpoint).map(({ name }) => name)
  return {
    '4XX': refTo(`4XX${names.join('')}`, rangeErrors(endpoint)),
    '5XX': refTo('5XX', ofServer),
  }
}

/** `x-errors` are the `error` values by status. */
const rangeResponse = (errors: Errors): Json => ({
  description: 'The request failed.',
  headers: headerRefs([...commonHeaders, 'Retry-After']),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  'x-errors': errors,
})
