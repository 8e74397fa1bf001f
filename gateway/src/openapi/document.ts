import type { Config } from '../config.js'
import type { Endpoint } from '../endpoint.js'
import { errorSchema } from '../http/errors.js'
import { fullPath } from '../http/router.js'
import { pageBase } from '../routes/list.js'
import { readServerVersion } from '../server-version.js'
import { coreObjectSchema } from '../shapes/common.js'
import { namedObjectSchema } from '../shapes/containers.js'
import { isSince, type Version } from '../versions.js'
import { asOf } from './as-of.js'
import { members } from './descriptions/index.js'
import { readExamples } from './examples.js'
import { headerComponents } from './headers.js'
import type { Json } from './json.js'
import { type Components, operation } from './operation.js'
import { pathParameters } from './parameters.js'
import { createSchemas } from './schemas.js'
import { withSharedMembers } from './shared-members.js'
import { tags } from './tags.js'
import { usedComponents } from './used-components.js'
import { withoutUsedOnce } from './used-once.js'

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a sign-in.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Token <API key>`',
  },
}

const description = ({ jsonBodyBytesMax, uploadBytesMax }: Config) =>
  [
    'Figbase stores scientific figures: each version with its image, its code and its data.',
    `A body has at most ${jsonBodyBytesMax} bytes, if the route does not say otherwise; a revision has at most ${uploadBytesMax} bytes of data.`,
    'Every response has the headers `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and `X-Request-Id`.',
    'Clients must ignore members that they do not know.',
    'With `Accept: application/problem+json`, an error has that type and the members `type`, `title` and `status` in addition (RFC 9457).',
    '`x-since` is the first version of the API with a route or a member; without it, all versions have it.',
    '`x-errors` lists `error` values by status: those of a response, and those that an operation has beside them.',
    '`x-idempotent` is set if an operation may be repeated although its HTTP method says otherwise, or may not.',
    'The guide of the installation is at `/docs/`.',
  ].join(' ')

/** Components that others extend, or that no route names. */
const roots = [errorSchema, coreObjectSchema, namedObjectSchema, pageBase]

/** Generates the OpenAPI 3.1 document of one version from the declared routes. */
export function openApi(endpoints: Endpoint[], version: Version, cfg: Config): Json {
  const components: Components = {
    schemas: createSchemas(members),
    parameters: {},
    responses: {},
    examples: readExamples(),
  }
  for (const schema of roots) components.schemas.schemaOf(schema, 'output')
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    if (!isSince(version, endpoint.since)) continue
    const path = fullPath(endpoint)
      .replace(':version', version)
      .replace(/:(\w+)/g, '{$1}')
    const described = operation(endpoint, components, cfg)
    const shared = pathParameters(endpoint, components.parameters)
    paths[path] = {
      ...(shared.length > 0 && { parameters: shared }),
      ...paths[path],
      [endpoint.method.toLowerCase()]: described,
    }
  }
  const { schemas, parameters, responses } = components
  const all = {
    schemas: schemas.components(),
    parameters,
    responses,
    headers: headerComponents,
    securitySchemes,
  }
  const document = asOf(version, {
    openapi: '3.1.1',
    info: {
      title: 'Figbase',
      version: readServerVersion(),
      description: description(cfg),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: cfg.publicUrl || '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags,
    paths,
    components: usedComponents(paths, all),
  })
  return withSharedMembers(withoutUsedOnce(document))
}
