import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { newAjv } from './ajv.js'
import { withClosedSchemas } from './closed-schemas.js'
import { deployment, LATEST } from './deployment.js'
import { checkErrorBody, JSON_TYPE, mediaType } from './error-body.js'
import { recordAnswer } from './recorded-answers.js'

/** The OpenAPI document of one version, and checks against it. */
export interface Contract {
  declares(method: string, path: string): boolean
  /** Throws if the operation does not declare this response. */
  check(answer: Exchange): void
  /** Throws if the operation does not declare this server-sent event. */
  checkEvent(method: string, path: string, event: object): void
  /** Compiles the JSON schemas of all declared responses, and returns their number. Throws for an invalid one. */
  compileAll(): number
}

/** The parts of a request and its response that are checked. */
export interface Exchange {
  method: string
  path: string
  status: number
  contentType: string
  bytes: Buffer
  /** Undefined if they are not known. */
  headers?: Headers
}

interface Operation {
  template: string
  segments: string[]
  methods: Record<string, OperationEntry | undefined>
}

interface OperationEntry {
  operationId: string
  responses?: Record<string, ResponseEntry>
  'x-errors'?: Errors
}

/** The `error` values by status. */
type Errors = Record<string, string[]>

interface ResponseEntry {
  $ref?: string
  headers?: Record<string, unknown>
  'x-errors'?: Errors
  content?: Record<string, { schema?: unknown } | undefined>
}

interface OpenApiDocument {
  openapi?: string
  servers?: { url: string }[]
  paths?: Record<string, Operation['methods']>
  components?: { schemas?: Record<string, unknown>; responses?: Record<string, ResponseEntry> }
}

interface SchemaAt {
  pointer: string
  schema: unknown
}

/** Compiled validators by schema. The versions share most schemas, and compiling is slow. */
const compiled = new Map<string, ValidateFunction>()

const loaded = new Map<string, Promise<Contract>>()

/** The contract of one version; fetched once per process. */
export function contractOf(version: string): Promise<Contract> {
  const known = loaded.get(version) ?? load(version)
  loaded.set(version, known)
  return known
}

async function load(version: string): Promise<Contract> {
  const url = new URL(`/api/${version}/openapi.json`, deployment.origin)
  // Compiling may take longer than the keep-alive timeout of the server.
  const headers = { connection: 'close' }
  const answer = await fetch(url, { redirect: 'manual', headers })
  assert.equal(answer.status, 200, `GET ${url.pathname} should return the OpenAPI document`)
  const document = withClosedSchemas((await answer.json()) as OpenApiDocument)
  assert.match(document.openapi ?? '', /^3\.1\./, 'the document should be OpenAPI 3.1')

  const ajv = newAjv()
  ajv.addSchema({ ...document, $id: 'openapi' })
  const validators = new Map<string, ValidateFunction>()
  const validator = ({ pointer, schema }: SchemaAt): ValidateFunction => {
    const known = validators.get(pointer)
    if (known) return known
    const key = withReferences(schema, document.components?.schemas ?? {})
    const validate = compiled.get(key) ?? ajv.getSchema(`openapi#${pointer}`)
    assert.ok(validate, `${pointer} should be a schema`)
    compiled.set(key, validate)
    validators.set(pointer, validate)
    return validate
  }
  const operations = operationsOf(document)

  const schemas = operations.flatMap(({ template, methods }) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.entries(operation?.responses ?? {})
        .map(([status, entry]) => ({
          pointer: pointerToSchema(entry, template, method, status),
          schema: resolve(document, entry).content?.[JSON_TYPE]?.schema,
        }))
        .filter(({ schema }) => schema !== undefined),
    ),
  )

  return {
    compileAll: () => schemas.map(validator).length,
    checkEvent(method, path, event) {
      const operation = find(operations, method, path)
      const entry = operation?.methods[method.toLowerCase()]?.responses?.[200] ?? {}
      const schema = resolve(document, entry).content?.[EVENT_TYPE]?.schema
      assert.ok(operation && schema, `${method} ${path} declares no events`)
      const pointer = pointerToSchema(entry, operation.template, method, '200', EVENT_TYPE)
      const validate = validator({ pointer, schema })
      const text = `${JSON.stringify(event)}: ${ajv.errorsText(validate.errors)}`
      assert.ok(validate(event), `${method} ${path} does not declare the event ${text}`)
    },
    declares: (method, path) => find(operations, method, path) !== undefined,
    check(exchange) {
      const { method, path, status, bytes } = exchange
      if (method === 'HEAD') return assert.equal(bytes.length, 0, `HEAD ${path} has a body`)
      const operation = find(operations, method, path)
      if (status >= 400) checkErrorBody(exchange)
      if (operation === undefined) {
        assert.ok(status >= 400, `${method} ${path} answered ${status} but is not declared`)
        return
      }
      const name = `${method} ${operation.template}`
      const declared = operation.methods[method.toLowerCase()]
      const { operationId = '', responses = {}, 'x-errors': ownErrors = {} } = declared ?? {}
      const key = [String(status), `${Math.floor(status / 100)}XX`].find((key) => key in responses)
      assert.ok(key, `${name} does not declare status ${status}`)
      const entry = responses[key] ?? {}
      const { content, headers = {}, 'x-errors': errors = {} } = resolve(document, entry)
      if (status >= 400) checkErrorName(name, exchange, [errors, ownErrors])
      else {
        checkHeaders(name, exchange.headers, headers)
        const response = entry.$ref?.split('/').at(-1) ?? `${operationId}.${status}`
        if (version === LATEST) recordAnswer(response, exchange)
      }
      if (content === undefined) {
        assert.equal(bytes.length, 0, `${name} declares no content for ${status}`)
        return
      }
      const type = mediaType(exchange.contentType)
      const isDeclared = type in content || '*/*' in content
      assert.ok(isDeclared, `${name} declares no ${type || 'untyped'} response for ${status}`)
      const schema = content[type]?.schema
      if (type !== JSON_TYPE || schema === undefined) return
      // Then members may be missing.
      if (status < 400 && /[?&]fields=/.test(path)) return
      const pointer = pointerToSchema(entry, operation.template, method, key)
      const validate = validator({ pointer, schema })
      assert.ok(
        validate(JSON.parse(bytes.toString())),
        `${name} does not match the schema of ${status}: ${ajv.errorsText(validate.errors)}`,
      )
    },
  }
}

const EVENT_TYPE = 'text/event-stream'

/** The `error` must be one of those that the response or the operation lists for the status. */
function checkErrorName(name: string, { status, bytes }: Exchange, errors: Errors[]) {
  const { error } = JSON.parse(bytes.toString()) as { error: string }
  const declared = errors.flatMap((one) => one[status] ?? [])
  assert.ok(declared.includes(error), `${name} does not declare ${status} ${error}`)
}

const DECLARED_HEADERS = ['content-disposition', 'etag', 'location', 'x-limit', 'x-total-count']

/** A header that the operation sets must be declared. */
function checkHeaders(name: string, headers: Headers | undefined, declared: object) {
  const known = new Set(Object.keys(declared).map((header) => header.toLowerCase()))
  for (const header of DECLARED_HEADERS) {
    if (headers?.has(header)) assert.ok(known.has(header), `${name} does not declare ${header}`)
  }
}

/** The text of a schema, and of all schemas that it refers to. */
function withReferences(schema: unknown, schemas: Record<string, unknown>): string {
  const texts = [JSON.stringify(schema)]
  const known = new Set<string>()
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (known.has(name)) continue
      known.add(name)
      texts.push(`${name} ${JSON.stringify(schemas[name])}`)
    }
  }
  return texts.join('\n')
}

function operationsOf(document: OpenApiDocument): Operation[] {
  const { pathname } = new URL(document.servers?.[0]?.url ?? '/', deployment.origin)
  const base = pathname.replace(/\/$/, '')
  return Object.entries(document.paths ?? {}).map(([template, methods]) => ({
    template,
    methods,
    segments: segmentsOf(template.startsWith('/api/') ? template : base + template),
  }))
}

function find(operations: Operation[], method: string, path: string): Operation | undefined {
  const segments = segmentsOf(path)
  const literals = (operation: Operation) =>
    operation.segments.filter((segment) => !segment.startsWith('{')).length
  return operations
    .filter((operation) => operation.methods[method.toLowerCase()] !== undefined)
    .filter(({ segments: declared }) => declared.length === segments.length)
    .filter(({ segments: declared }) =>
      declared.every((segment, i) => segment.startsWith('{') || segment === segments[i]),
    )
    .sort((a, b) => literals(b) - literals(a))[0]
}

function segmentsOf(path: string): string[] {
  const [plain = ''] = path.split('?')
  // An empty segment in between is the parameter of another path.
  return plain.replace(/^\/|\/$/g, '').split('/')
}

function resolve(document: OpenApiDocument, entry: ResponseEntry): ResponseEntry {
  if (entry.$ref === undefined) return entry
  return document.components?.responses?.[entry.$ref.split('/').at(-1) ?? ''] ?? {}
}

function pointerToSchema(
  entry: ResponseEntry,
  template: string,
  method: string,
  status: string,
  type = JSON_TYPE,
): string {
  const at = entry.$ref?.slice(1) ?? pointerTo(template, method, status)
  return `${at}/content/${type.replace('/', '~1')}/schema`
}

function pointerTo(template: string, method: string, status: string): string {
  const parts = ['paths', template, method.toLowerCase(), 'responses', status]
  return parts
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .map((part) => `/${part}`)
    .join('')
}
