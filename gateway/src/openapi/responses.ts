import type { z } from 'zod'
import type { Endpoint } from '../endpoint.js'
import { errorResponse, errorsOf } from './errors.js'
import { headerRefs } from './headers.js'
import type { Json } from './json.js'
import type { Schemas } from './schemas.js'

/** The responses of a route. Those with the same error are one component. */
export function responsesOf(endpoint: Endpoint, schemas: Schemas, components: Json): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    responses[status] = success(endpoint, Number(status), schema, schemas)
  }
  for (const [status, values] of errorsOf(endpoint)) {
    const { name, body } = errorResponse(status, values)
    components[name] ??= body
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return { ...responses, default: { $ref: '#/components/responses/Usual' } }
}

const descriptions: Record<number, string> = {
  200: 'The answer.',
  201: 'It was created.',
  202: 'The request was accepted; the work goes on.',
  204: 'It is done; the answer is empty.',
  206: 'The requested range of the bytes.',
  304: 'The caller has the newest version.',
}

function success(
  endpoint: Endpoint,
  status: number,
  schema: z.ZodType | null,
  schemas: Schemas,
): Json {
  const { mediaType, events, responseHeaders = [] } = endpoint
  const hasHeaders = responseHeaders.length > 0 && status !== 304
  const hasBytes = mediaType !== undefined && (status === 200 || status === 206)
  const content = {
    ...(schema && { 'application/json': { schema: schemas.schemaOf(schema, 'output') } }),
    ...(hasBytes && { [mediaType]: events ? { schema: schemas.schemaOf(events, 'output') } : {} }),
  }
  return {
    description: descriptions[status],
    ...(hasHeaders && { headers: headerRefs(responseHeaders) }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}
