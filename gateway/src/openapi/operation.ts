import type { Config } from '../config.js'
import type { Endpoint } from '../endpoint.js'
import { versions } from '../versions.js'
import { ownErrors } from './errors.js'
import type { Json } from './json.js'
import { operationParameters } from './parameters.js'
import { responsesOf } from './responses.js'
import type { Schemas } from './schemas.js'
import { tagOf } from './tags.js'

export type Components = {
  schemas: Schemas
  parameters: Json
  responses: Json
  /** By the name of the response. */
  examples: Json
}

const credentials = [{ bearer: [] }, { apiKey: [] }]

/** The document says `required` for all routes. */
const securityOf = {
  required: {},
  optional: { security: [{}, ...credentials] },
  none: { security: [] },
}

export function operation(endpoint: Endpoint, components: Components, cfg: Config): Json {
  const { operationId, summary, description, auth, since, idempotent } = endpoint
  const { schemas, parameters } = components
  const isUsual = idempotent !== ['POST', 'PATCH'].includes(endpoint.method)
  const ownParameters = operationParameters(endpoint, schemas, parameters)
  return {
    operationId,
    tags: [tagOf(endpoint.path)],
    summary,
    description,
    ...securityOf[auth],
    ...(since !== versions[0] && { 'x-since': since }),
    ...(!isUsual && { 'x-idempotent': idempotent }),
    ...(ownParameters.length > 0 && { parameters: ownParameters }),
    ...requestBody(endpoint, schemas, cfg),
    responses: responsesOf(endpoint, components),
    ...ownErrors(endpoint),
  }
}

function requestBody(endpoint: Endpoint, schemas: Schemas, cfg: Config): Json {
  const { body, bytesType, acceptsForm, isBodyOptional, upload } = endpoint
  if (bytesType) {
    return { requestBody: { description: 'The bytes.', content: { [bytesType]: {} } } }
  }
  if (!body) return {}
  const bytesMax = endpoint.bodyBytesMax?.(cfg) ?? (upload ? cfg.uploadBodyBytesMax : undefined)
  const content = { schema: schemas.schemaOf(body, 'input') }
  return {
    requestBody: {
      ...(bytesMax !== undefined && { description: `At most ${bytesMax} bytes.` }),
      ...(!isBodyOptional && { required: true }),
      content: {
        'application/json': content,
        ...(acceptsForm && { 'application/x-www-form-urlencoded': content }),
      },
    },
  }
}
