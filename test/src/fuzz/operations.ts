/** A JSON schema of the OpenAPI document. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  contentEncoding?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export type Operation = {
  method: string
  /** With `{name}` for parameters, and with the version. */
  path: string
  /** The path below the version: `POST /figure/`. */
  name: string
  isPublic: boolean
  parameters: Parameter[]
  /** The type of the body, and its schema if it is JSON. */
  body?: { type: string; schema?: Schema; isRequired: boolean }
}

type Entry = {
  security?: object[]
  parameters?: Ref<Parameter>[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
}

type Ref<T> = T | { $ref: string }

/** The parts of an OpenAPI document from which requests are made. */
export type Document = {
  paths: Record<string, Record<string, Entry> & { parameters?: Ref<Parameter>[] }>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete']
const jsonType = 'application/json'

/** All operations of the document, in its order. */
export function operationsOf(document: Document, version: string): Operation[] {
  const parameterOf = (entry: Ref<Parameter>) => resolve<Parameter>(document, entry)
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const { security, parameters = [], requestBody } = item[method] as Entry
        const shared = item.parameters ?? []
        return {
          method: method.toUpperCase(),
          path,
          name: `${method.toUpperCase()} ${path.replace(`/api/${version}`, '')}`,
          isPublic: security?.length === 0,
          parameters: [...shared, ...parameters].map(parameterOf),
          ...(requestBody && { body: bodyOf(requestBody) }),
        }
      }),
  )
}

function bodyOf({ content, required = false }: NonNullable<Entry['requestBody']>) {
  const type = jsonType in content ? jsonType : (Object.keys(content)[0] ?? jsonType)
  const schema = content[type]?.schema
  return { type, isRequired: required, ...(schema && { schema }) }
}

/** What a reference refers to, or the value itself. */
export function resolve<T>(document: Document, value: object): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return resolve(document, target as object)
}

/** The schema with its reference resolved, and the parts of `allOf` merged. */
export function merged(document: Document, schema: Schema): Schema {
  const { $ref, allOf = [], ...own } = schema
  const parts = $ref === undefined ? allOf : [resolve<Schema>(document, { $ref }), ...allOf]
  if (parts.length === 0) return own
  const all: Schema = { properties: {}, required: [] }
  for (const part of [...parts.map((one) => merged(document, one)), own]) {
    const { properties, required = [], ...rest } = part
    Object.assign(all, rest)
    Object.assign(all.properties ?? {}, properties)
    all.required?.push(...required)
  }
  if (Object.keys(all.properties ?? {}).length === 0) delete all.properties
  return all
}
