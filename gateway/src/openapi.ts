import { z } from 'zod'
import type { Config } from './config.js'
import type { Endpoint } from './endpoint.js'
import { errorSchema } from './http/errors.js'
import { fullPath } from './http/router.js'
import { readServerVersion } from './server-version.js'
import { isSince, type Version } from './versions.js'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of one version, made of the declared routes. */
export function openApi(endpoints: Endpoint[], version: Version, cfg: Config): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    if (!isSince(version, endpoint.since)) continue
    const path = fullPath(endpoint)
      .replace(':version', version)
      .replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Figbase', version: readServerVersion() },
    ...(cfg.publicUrl && { servers: [{ url: cfg.publicUrl }] }),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorSchema, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

const errorResponse = {
  description: 'The request was refused, or failed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function operation(endpoint: Endpoint): Json {
  const responses: Json = { default: errorResponse }
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    responses[status] = schema
      ? {
          description: 'Done',
          content: { 'application/json': { schema: jsonSchema(schema, 'output') } },
        }
      : { description: 'Done, without a body' }
  }
  return {
    summary: endpoint.summary,
    security: endpoint.auth === 'required' ? [{ bearer: [] }] : [],
    'x-since': endpoint.since,
    'x-idempotent': endpoint.idempotent,
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } },
      },
    }),
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

function queryParameters({ query }: Endpoint) {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(schema as z.ZodType, 'input'),
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
