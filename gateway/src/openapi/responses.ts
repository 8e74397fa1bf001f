import type { Endpoint } from '../endpoint.js'
import { errorResponses } from './errors.js'
import { withExample } from './examples.js'
import { headerRefs } from './headers.js'
import { isObject, type Json } from './json.js'
import type { Components } from './operation.js'
import type { Schemas } from './schemas.js'

/** The responses of a route. Equal responses of several routes are one component. */
export function responsesOf(
  endpoint: Endpoint,
  { schemas, responses: components, examples }: Components,
): Json {
  const responses: Json = {}
  for (const status of Object.keys(endpoint.responses)) {
    const response = success(endpoint, Number(status), schemas)
    const name = nameOf(status, response)
    const own = examples[`${endpoint.operationId}.${status}`]
    const shown = withExample(response, own ?? (name && examples[name]))
    responses[status] = shared(shown, name, components)
  }
  return { ...responses, ...errorResponses(endpoint, components) }
}

const descriptions: Record<string, string> = {
  200: 'The answer.',
  201: 'It was created.',
  202: 'The request was accepted; the work goes on.',
  204: 'It is done; the answer is empty.',
  206: 'The requested range of the bytes.',
  304: 'The caller has the newest version.',
}

function success(endpoint: Endpoint, status: number, schemas: Schemas): Json {
  const { mediaType, events, responses, responseHeaders = [] } = endpoint
  const schema = responses[status]
  const hasBytes = mediaType !== undefined && (status === 200 || status === 206)
  const content = {
    ...(schema && { 'application/json': { schema: schemas.schemaOf(schema, 'output') } }),
    ...(hasBytes && { [mediaType]: events ? { schema: schemas.schemaOf(events, 'output') } : {} }),
  }
  const headers = responseHeaders.filter((name) => status !== 304 || name === 'ETag')
  return {
    description: descriptions[status],
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

/** A reference to the component, or the response itself if it has no name, or another one has it. */
function shared(response: Json, name: string | undefined, components: Json): Json {
  if (name === undefined) return response
  components[name] ??= response
  const isSame = JSON.stringify(components[name]) === JSON.stringify(response)
  return isSame ? { $ref: `#/components/responses/${name}` } : response
}

/** Named after its schema: `200.Figure`, `200.Figure.or.FigureShallow`, `200.Figure.list`, `200.Figure.page`. */
function nameOf(status: string, { content }: Json): string | undefined {
  if (content === undefined) return `${status}.empty`
  const schema = isObject(content) ? content['application/json'] : undefined
  const name = isObject(schema) ? schemaName(schema.schema) : undefined
  return name && `${status}.${name}`
}

function schemaName(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const { $ref, anyOf, items, properties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1)
  if (Array.isArray(anyOf)) {
    const names = anyOf.map(schemaName)
    if (names.includes(undefined)) return undefined
    // A list is named after its array.
    return names.filter((name, at) => at === 0 || !name?.endsWith('Page')).join('.or.')
  }
  const page = isObject(properties) && isObject(properties.items) ? properties.items : {}
  const item = schemaName(items ?? page.items)
  return item && `${item}.${items ? 'list' : 'page'}`
}
