import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { parse } from 'yaml'

type Schema = Record<string, unknown>
type Parameter = { name: string; in: string; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content: Content }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export type Exchange = { method: string; path: string; query: Record<string, string> }

/** Compares requests and answers with the OpenAPI document of Typesense. Returns what is wrong with them. */
export type ContractDocument = {
  problemsOfRequest(exchange: Exchange, body: unknown): string[]
  problemsOfAnswer(exchange: Exchange, status: number, body: unknown): string[]
}

const file = new URL('../../../../../../shared/contracts/typesense-openapi.yml', import.meta.url)
export const documentPath: string = fileURLToPath(file)

/** Undefined if there is no document beside this repository. */
export function readContractDocument(path: string = documentPath): ContractDocument | undefined {
  if (!existsSync(path)) return undefined
  const document = parse(readFileSync(path, 'utf8')) as Document
  correct(document)
  return createContractDocument(document)
}

type Properties = { properties: Record<string, Schema> }

/** Where the document contradicts itself. */
function correct({ components: { schemas } }: Document) {
  // Its own examples have fields that are not objects.
  const hit = schemas.SearchResultHit as Properties
  delete hit.properties.document?.additionalProperties
  // A search of several has the parameters of a single one.
  const several = schemas.MultiSearchParameters as Properties
  Object.assign(several.properties, (schemas.SearchParameters as Properties).properties)
}

function createContractDocument(document: Document): ContractDocument {
  // Words of OpenAPI 3.0 and the formats of numbers are not checked.
  const options = { strict: false, validateFormats: false, allErrors: true }
  const bodies = new Ajv2019(options).addSchema(document, 'typesense')
  const queries = new Ajv2019({ ...options, coerceTypes: true }).addSchema(document, 'typesense')
  // A search with an unknown parameter is a mistake of the engine.
  Object.assign(document.components.schemas.MultiSearchCollectionParameters ?? {}, {
    unevaluatedProperties: false,
  })
  const check = (ajv: Ajv2019, schema: Schema, value: unknown, what: string) => {
    if (ajv.validate(absolute(schema), value)) return []
    return (ajv.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}${instancePath} ${message}: ${JSON.stringify(params)}`,
    )
  }
  return {
    problemsOfRequest(exchange, body) {
      const { path, operation } = operationOf(document, exchange)
      if (!operation) return [`${exchange.method} ${exchange.path} is not in the document`]
      const schema = { ...querySchema(operation), unevaluatedProperties: false }
      const problems = check(queries, schema, { ...exchange.query }, `query of ${path}`)
      const expected = jsonSchema(operation.requestBody?.content)
      if (!expected) return problems
      const strict = { ...expected, unevaluatedProperties: false }
      return [...problems, ...check(bodies, strict, body, `body of ${path}`)]
    },
    problemsOfAnswer(exchange, status, body) {
      const { path, operation } = operationOf(document, exchange)
      // Failures that every path may have are not in the document.
      const error = { 'application/json': { schema: { $ref: '#/components/schemas/ApiResponse' } } }
      const content = operation?.responses[status]?.content ?? (status >= 400 ? error : undefined)
      if (!content) return [`status ${status} of ${path} is not in the document`]
      const expected = jsonSchema(content)
      return expected ? check(bodies, expected, body, `answer ${status} of ${path}`) : []
    },
  }
}

function operationOf({ paths }: Document, { method, path }: Exchange) {
  const parts = path.split('/')
  const isVariable = (part: string) => part.startsWith('{')
  const fits = (template: string) => {
    const expected = template.split('/')
    return (
      expected.length === parts.length &&
      expected.every((part, at) => isVariable(part) || part === parts[at])
    )
  }
  const variables = (template: string) => template.split('/').filter(isVariable).length
  const [found = ''] = Object.keys(paths)
    .filter(fits)
    .sort((a, b) => variables(a) - variables(b))
  return { path: `${method} ${found}`, operation: paths[found]?.[method.toLowerCase()] }
}

/** A parameter that is an object stands for its properties. */
function querySchema({ parameters = [] }: Operation): Schema {
  const inQuery = parameters.filter((one) => one.in === 'query')
  return {
    type: 'object',
    allOf: [
      {},
      ...inQuery.map(({ name, schema }) =>
        schema.type === 'object' || String(schema.$ref).endsWith('Parameters')
          ? schema
          : { properties: { [name]: schema } },
      ),
    ],
  }
}

const jsonSchema = (content: Content | undefined) => content?.['application/json']?.schema

/** With references that do not depend on where the schema is. */
function absolute(schema: Schema): Schema {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"typesense#/')) as Schema
}
