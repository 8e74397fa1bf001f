import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, openApi, readGatewayConfig } from '@figbase/gateway'
import { readSettings } from '@figbase/kit/config'
import { newAjv } from '../ajv.js'
import { mutatedBody } from './body-mutations.js'
import { wireBytes } from './drafts.js'
import type { Document, Operation } from './operations.js'
import { apiOf, type FuzzRequest, planOf, requestOf } from './plans.js'
import { Random, randomOf } from './random.js'
import { schemaValue } from './schema-values.js'

const cfg = readSettings({}, readGatewayConfig)
const version = 'v1.4.1'
const document = openApi(endpoints, version, cfg) as unknown as Document
const api = apiOf(version, document)
const values = {
  host: 'example',
  authorization_owner: 'Bearer x',
  figure: new Random(1).uuid(),
  soon: '2030-01-01T00:00:00.000Z',
}

function requests(seed: number, count: number): FuzzRequest[] {
  return Array.from({ length: count }, (_, number) =>
    requestOf(planOf([api], seed, number), values),
  )
}

const hashed = (list: FuzzRequest[]) => list.map((one) => wireBytes(one).toString('base64'))

test('the same seed makes the same requests, another seed makes others', () => {
  assert.deepEqual(hashed(requests(7, 900)), hashed(requests(7, 900)))
  const others = new Set(hashed(requests(8, 900)))
  const same = hashed(requests(7, 900)).filter((one) => others.has(one))
  assert.ok(same.length < 300, `${same.length} requests are the same`)
})

test('a request does not depend on those before it', () => {
  const [, , third] = requests(7, 3)
  assert.deepEqual(requestOf(planOf([api], 7, 2), values), third)
})

test('each operation gets requests of each kind', () => {
  const made = new Set(
    requests(1, 30 * api.operations.length).map((one) => `${one.kind} ${one.operation}`),
  )
  const missing = api.operations.flatMap(({ name }) =>
    ['valid', 'mutated', 'hostile']
      .filter((kind) => !made.has(`${kind} ${name}`))
      .map((kind) => `${kind} ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('only a misframed request announces another length than that of its body', () => {
  for (const { headers, body, isMisframed } of requests(3, 3000)) {
    if (isMisframed) continue
    const length = headers.find(([name]) => name === 'content-length')?.[1] ?? '0'
    assert.equal(Number(length), body.length)
  }
})

const ajv = newAjv()
const withBody = api.operations.filter(({ body }) => body?.schema !== undefined)
const validatorOf = ({ body }: Operation) =>
  ajv.compile({ ...body?.schema, components: document.components })

test('valid bodies match the document, and mutated ones do not', () => {
  assert.ok(withBody.length > 80)
  const counts = { valid: 0, broken: 0, other: 0 }
  for (const operation of withBody) {
    const validate = validatorOf(operation)
    for (let number = 0; number < 60; number++) {
      const random = randomOf(5, number)
      const body = schemaValue(document, operation.body?.schema ?? {}, {
        operation,
        random,
        values,
      })
      const text = `${operation.name}: ${JSON.stringify(body.json)}`
      assert.ok(validate(body.json), `${text}: ${ajv.errorsText(validate.errors)}`)
      counts.valid++
      const { json, what, breaksSchema } = mutatedBody(document, body, random)
      counts[breaksSchema ? 'broken' : 'other']++
      if (breaksSchema) assert.ok(!validate(json), `${what} in ${text}: ${JSON.stringify(json)}`)
    }
  }
  assert.ok(counts.broken > counts.other, JSON.stringify(counts))
})

test('hostile requests contain what a program must not trust', () => {
  const wire = requests(1, 10_000)
    .filter(({ kind }) => kind === 'hostile')
    .map((one) => ({ ...one, text: wireBytes(one).toString('latin1') }))
  const has = (what: string, is: (one: (typeof wire)[number]) => boolean) =>
    assert.ok(wire.some(is), `there is no request with ${what}`)
  has('invalid UTF-8 in its path', ({ target }) => target.includes('%ff%fe'))
  has('path traversal', ({ target }) => target.includes('..%2f..%2f'))
  has('a prototype member', ({ text }) => text.includes('"__proto__":'))
  has('a lone surrogate', ({ text }) => text.includes('\\ud800'))
  has('NUL', ({ text }) => text.includes('\u0000'))
  has('a compressed body', ({ text }) => text.includes('\x1f\x8b'))
  has('a wrong chunk', ({ text }) => text.includes('\r\nzz\r\n'))
  has('duplicate members', ({ text }) => text.includes('"name":"a","name":null'))
  has('an unknown method', ({ method }) => method === 'FOO')
  has('an injected header', ({ text }) => text.includes('%0d%0aX-Injected:'))
  has('a very long query', ({ target }) => target.length > 9000)
})
