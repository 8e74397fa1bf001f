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

/** What a route declares, and the errors that follow from it. */
const rules: { name: string; applies(endpoint: Endpoint): boolean; errors: Errors }[] = [
  {
    name: '.auth',
    applies: ({ auth }) => auth !== 'none',
    errors: {
      401: ['authentication_failed', 'not_authenticated', 'token_not_valid'],
      403: ['insufficient_key_access', 'permission_denied'],
    },
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
  {
    name: '.key',
    applies: ({ idempotencyKey }) => idempotencyKey === 'supported',
    errors: { 400: ['invalid_request'], 422: ['idempotency_key_reused'] },
  },
  {
    name: '.secret',
    applies: ({ idempotencyKey }) => idempotencyKey === 'secret',
    errors: { 400: ['idempotency_key_unsupported'] },
  },
  {
    name: '.match',
    applies: ({ requestHeaders }) => requestHeaders?.shape['If-Match'] !== undefined,
    errors: { 412: ['version_mismatch'] },
  },
  {
    name: '.range',
    applies: ({ responses }) => 206 in responses,
    errors: { 416: ['range_not_satisfiable'] },
  },
]

const rulesOf = (endpoint: Endpoint) => rules.filter(({ applies }) => applies(endpoint))

/** The errors that follow from the declaration of a route. */
function derivedErrors(endpoint: Endpoint): Errors {
  const derived: Errors = { ...ofAll }
  for (const { errors } of rulesOf(endpoint)) {
    for (const [status, values] of Object.entries(errors)) {
      const others = derived[Number(status)] ?? []
      derived[Number(status)] = [...new Set([...others, ...values])].sort()
    }
  }
  return derived
}

/**
 * The responses of a route to errors: one for each status with errors of its own, and `4XX` and `5XX` for the others.
 * Equal responses are one component.
 */
export function errorResponses(endpoint: Endpoint, components: Json): Json {
  const derived = derivedErrors(endpoint)
  const refTo = (name: string, response: Json) => {
    components[name] ??= response
    return { $ref: `#/components/responses/${name}` }
  }
  const own = Object.entries(endpoint.errors ?? {}).map(([status, values]) => {
    const others = { ...derived, ...ofServer }[Number(status)] ?? []
    const all = [...new Set([...others, ...values])].sort()
    return [status, refTo(`${status}.${all.join('.')}`, problemResponse(all))]
  })
  const name = `4XX${rulesOf(endpoint)
    .map((rule) => rule.name)
    .join('')}`
  return {
    ...Object.fromEntries(own),
    '4XX': refTo(name, rangeResponse(derived)),
    '5XX': refTo('5XX', rangeResponse(ofServer)),
  }
}

/** A response with one of these `error` values. */
const problemResponse = (values: string[]): Json => ({
  description: 'The request failed.',
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { error: { enum: values } } },
        ],
      },
    },
  },
})

/** `x-errors` are the `error` values by status. */
const rangeResponse = (errors: Errors): Json => ({
  ...problemResponse([...new Set(Object.values(errors).flat())].sort()),
  headers: headerRefs([...commonHeaders, 'Retry-After']),
  'x-errors': errors,
})
