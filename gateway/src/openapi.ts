import { z } from 'zod'
import type { Config } from './config.js'
import type { Endpoint } from './endpoint.js'
import { errorSchema } from './http/errors.js'
import { fullPath } from './http/router.js'
import { readServerVersion } from './server-version.js'
import { isSince, isVersion, type Version } from './versions.js'

type Json = Record<string, unknown>

/** Generates the OpenAPI 3.1 document of one version from the declared routes. */
export function openApi(endpoints: Endpoint[], version: Version, cfg: Config): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    if (!isSince(version, endpoint.since)) continue
    const path = fullPath(endpoint)
      .replace(':version', version)
      .replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return asOf(version, {
    openapi: '3.1.0',
    info: { title: 'Figbase', version: readServerVersion() },
    ...(cfg.publicUrl && { servers: [{ url: cfg.publicUrl }] }),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorSchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Token <API key>`',
        },
      },
    },
  })
}

/** Removes the members that were added after the version. */
function asOf<T>(version: Version, value: T): T {
  if (Array.isArray(value)) return value.map((item) => asOf(version, item)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => !isAddedLater(version, member))
    .map(([name, member]) => [name, asOf(version, member)])
  return Object.fromEntries(entries)
}

function isAddedLater(version: Version, schema: unknown) {
  const since = (schema as Json | null)?.['x-since']
  return typeof since === 'string' && isVersion(since) && !isSince(version, since)
}

const credentials = [{ bearer: [] }, { apiKey: [] }]
const securityOf = { required: credentials, optional: [{}, ...credentials], none: [] }

const errorResponse = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function operation(endpoint: Endpoint): Json {
  const responses: Json = { default: errorResponse }
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    responses[status] = schema
      ? {
          description: 'Done',
          content: {
            'application/json': { schema: jsonSchema(schema, 'output') },
            ...(endpoint.mediaType && status === '200' && { [endpoint.mediaType]: {} }),
          },
        }
      : endpoint.mediaType && (status === '200' || status === '206')
        ? { description: 'Done', content: { [endpoint.mediaType]: {} } }
        : { description: 'Done, without a body' }
  }
  return {
    summary: endpoint.summary,
    security: securityOf[endpoint.auth],
    'x-since': endpoint.since,
    'x-idempotent': endpoint.idempotent,
    parameters: [
      ...pathParameters(endpoint),
      ...parametersIn('query', endpoint.query),
      ...parametersIn('header', endpoint.requestHeaders),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.isBodyOptional,
        content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } },
      },
    }),
    ...(endpoint.bytesType && { requestBody: { content: { [endpoint.bytesType]: {} } } }),
    responses,
  }
}

const pathParameters = (endpoint: Endpoint) =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function parametersIn(place: 'query' | 'header', schema: z.ZodType | undefined) {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'header' && !(member instanceof z.ZodOptional),
    schema: jsonSchema(member as z.ZodType, 'input'),
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
