import assert from 'node:assert/strict'
import { newAjv } from './ajv.js'
import type { Exchange } from './contract.js'

export const JSON_TYPE = 'application/json'

/** Stack traces, source paths, database messages. */
const INTERNAL_DETAILS =
  /\.[cm]?[jt]s:\d|node_modules|\bat async\b|syntax error at|violates \w+ constraint/

const errorAjv = newAjv()
const isErrorBody = errorAjv.compile({
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', minLength: 1 },
    detail: { type: 'string' },
    code: { type: 'string', minLength: 1 },
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        required: ['field', 'problem'],
        properties: { field: { type: 'string' }, problem: { type: 'string', minLength: 1 } },
      },
    },
  },
  // Invalid requests must list the members.
  if: { properties: { error: { const: 'invalid_request' } } },
  // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON Schema
  then: { required: ['detail', 'errors'] },
})

/** The error body of the specification; a 401 always carries a `code` (wire facts 3.6). */
export function checkErrorBody({ method, path, status, contentType, bytes }: Exchange): void {
  const name = `${method} ${path} (${status})`
  assert.equal(mediaType(contentType), JSON_TYPE, `${name}: an error should be JSON`)
  const body: unknown = JSON.parse(bytes.toString())
  assert.ok(isErrorBody(body), `${name}: ${errorAjv.errorsText(isErrorBody.errors)}`)
  assert.doesNotMatch(
    bytes.toString(),
    INTERNAL_DETAILS,
    `${name}: should not show internal details`,
  )
  if (status === 401) assert.ok('code' in (body as object), `${name}: a 401 should carry a code`)
}

export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}
