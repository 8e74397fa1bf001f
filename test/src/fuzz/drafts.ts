import {
  completed,
  completedQuery,
  isNeeded,
  knownValue,
  pathValue,
  type Source,
  type Values,
} from './known-values.js'
import {
  type Document,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from './operations.js'
import { type Body, schemaValue } from './schema-values.js'

export type Pairs = [name: string, value: string][]

/** A request before it is encoded. */
export type Draft = {
  operation: Operation
  path: Record<string, string>
  query: Pairs
  headers: Pairs
  /** JSON with the values in it, bytes, or nothing. */
  body: Body | Buffer | undefined
}

/** A request that the document allows. */
export function validDraft(document: Document, source: Source): Draft {
  const { operation, random } = source
  const chosen = (place: Parameter['in']) =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .filter(({ required, name }) => required || isNeeded(operation, name) || random.chance(0.3))
      .flatMap((parameter) => textOf(document, parameter, source))
  const path = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => [name, pathValue(source, name)])
  return {
    operation,
    path: Object.fromEntries(path),
    query: completedQuery(chosen('query'), source.values),
    headers: [...chosen('header'), ...typeOf(operation)],
    body: bodyFor(document, source),
  }
}

function textOf(document: Document, { name, schema }: Parameter, source: Source): Pairs {
  const known = knownValue(source, name)
  if (known && known.value === undefined) return []
  const value = known ? known.value : schemaValue(document, schema, source).json
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]]
}

const typeOf = ({ body }: Operation): Pairs => (body ? [['content-type', body.type]] : [])

function bodyFor(document: Document, source: Source): Draft['body'] {
  const { operation, random, values } = source
  const { body } = operation
  if (body === undefined) return undefined
  if (body.schema === undefined) return Buffer.alloc(random.below(50), 'x')
  if (!body.isRequired && operation.method !== 'DELETE' && random.chance(0.3)) return undefined
  const { json, sites } = schemaValue(document, resolve<Schema>(document, body.schema), source)
  return { json: completed(json, values), sites }
}

const credentialsOf = (values: Values, caller: string): Pairs => {
  const authorization = values[`authorization_${caller}`]
  return authorization === undefined ? [] : [['authorization', authorization]]
}

/** The parts of a request on the wire. Text stands for bytes, as in Latin-1. */
export type Encoded = {
  method: string
  target: string
  protocol: string
  headers: Pairs
  body: Buffer
}

export function encoded(draft: Draft, values: Values, caller: string): Encoded {
  const { operation, path, query, headers, body } = draft
  const target = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(path[name] ?? ''),
  )
  const search = query.map((pair) => pair.map((text) => encodeURIComponent(text)).join('='))
  const bytes = bytesOf(body)
  const hasBody = bytes.length > 0 || ['POST', 'PUT', 'PATCH'].includes(operation.method)
  return {
    method: operation.method,
    target: target + (search.length > 0 ? `?${search.join('&')}` : ''),
    protocol: 'HTTP/1.1',
    headers: [
      ['host', values.host ?? 'localhost'],
      ...credentialsOf(values, caller),
      ...headers,
      ...(hasBody ? ([['content-length', String(bytes.length)]] satisfies Pairs) : []),
    ],
    body: bytes,
  }
}

const bytesOf = (body: Draft['body']) => {
  if (body === undefined || Buffer.isBuffer(body)) return body ?? Buffer.alloc(0)
  return Buffer.from(JSON.stringify(body.json) ?? '')
}

/** The bytes on the wire. */
export function wireBytes({ method, target, protocol, headers, body }: Encoded): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${target} ${protocol}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}
