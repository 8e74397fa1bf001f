import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadGuide } from '../../src/pages/guide/load.js'
import { newest, versions } from '../../src/versions.js'
import { documentOf, isObject, type Json, objectsIn, operationsOf } from './documents.js'

const document = documentOf(newest)
const operations = operationsOf(document)

const bytesMax = 400_000

for (const version of versions) {
  test(`${version}: the document is small without its examples`, () => {
    const text = JSON.stringify(documentOf(version), (name, value) =>
      name === 'example' ? undefined : value,
    )
    assert.ok(text.length < bytesMax, `${text.length} bytes`)
  })

  test(`${version}: each reference leads to a component, and each component is used`, () => {
    const { components, ...rest } = documentOf(version)
    const used = new Set<string>()
    for (const [, object] of objectsIn({ components, ...rest })) {
      if (typeof object.$ref === 'string') used.add(object.$ref.replace('#/components/', ''))
    }
    const kinds = ['schemas', 'parameters', 'responses', 'headers']
    const existing = kinds.flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `${kind}/${name}`),
    )
    assert.deepEqual([...used].sort(), existing.sort())
  })

  test(`${version}: no member is newer than the version`, () => {
    for (const [path, { 'x-since': since = 'v1' }] of objectsIn(documentOf(version))) {
      const index = versions.indexOf(since as (typeof versions)[number])
      assert.ok(index <= versions.indexOf(version), path.join('.'))
    }
  })
}

test('each operation has an id of its own: a verb and an object', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z]+([A-Z][A-Za-z]*)?$/)
  for (const id of ['listFigures', 'getFigure', 'shareFigureWithUser', 'createRevision']) {
    assert.ok(ids.includes(id), id)
  }
})

test('each operation has one of the described tags, and each tag is used', () => {
  const names = new Set(operations.flatMap(({ tags }) => tags))
  for (const { tags } of operations) assert.equal(tags.length, 1)
  assert.deepEqual([...names].sort(), document.tags.map(({ name }) => name).sort())
  for (const { description } of document.tags) assert.match(description, /^[A-Z].*\.$/)
})

test('each tag has a page in the guide', async () => {
  const { pages } = await loadGuide()
  const links = pages.map(({ name }) => ` See [the guide](/docs/${name}).`)
  for (const { description } of document.tags) {
    assert.ok(
      links.some((link) => description.endsWith(link)),
      description,
    )
  }
})

test('each operation has a summary, and a description in sentences', () => {
  for (const { operationId, summary, description } of operations) {
    assert.match(summary, /^[A-Z][^.]*[^.\s]$/, operationId)
    assert.match(description, /^([A-Z`].*[.])$/, operationId)
  }
})

test('each parameter has a description in sentences', () => {
  for (const [path, object] of objectsIn(document)) {
    if (typeof object.in !== 'string' || path.includes('securitySchemes')) continue
    assert.match(String(object.description), /^[A-Z`].*\.$/, path.join('.'))
  }
})

test('each member has a description in sentences', () => {
  const undescribed = [...objectsIn(document)].flatMap(([path, { properties }]) =>
    isObject(properties) && !path.includes('properties-of')
      ? Object.entries(properties)
          .filter(([name, member]) => !(isObject(member) && isDescribed(name, member)))
          .map(([name]) => [...path.slice(-6), name].join('.'))
      : [],
  )
  assert.deepEqual(undescribed, [])
})

/** A member that many schemas have refers to a component with its description. */
const isDescribed = (name: string, member: Json) => {
  const component = document.components.schemas?.[name]
  const isShared = member.$ref === `#/components/schemas/${name}`
  const { description = '' } = (isShared && component) || member
  return /^[A-Z`].*[.`)]$/s.test(String(description))
}

test('each component has a description', () => {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    assert.match(String(schema.description), /^[A-Z`].*\.$/, name)
  }
})

test('no schema of an object is there twice', () => {
  const places = new Map<string, string[]>()
  for (const [path, object] of objectsIn({ ...document.paths, ...document.components })) {
    if (!isObject(object.properties) || path.includes('responses')) continue
    const text = canonical(object)
    // A reference to a member alone has about 60 bytes.
    if (text.length < 300) continue
    places.set(text, [...(places.get(text) ?? []), path.join('/')])
  }
  const repeated = [...places.values()].filter((paths) => paths.length > 1)
  assert.deepEqual(repeated, [])
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if (name === 'description' && typeof member === 'string') return undefined
    if (!isObject(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })

for (const version of versions) {
  test(`${version}: each successful answer with JSON has an example`, () => {
    const missing = [...objectsIn(documentOf(version))].flatMap(([path, object]) => {
      const json = isSuccess(path) ? object['application/json'] : undefined
      return json && !(isObject(json) && 'example' in json) ? [path.join('.')] : []
    })
    const isExcepted = (path: string) => exceptions.some(({ place }) => place.test(path))
    assert.deepEqual(
      missing.filter((path) => !isExcepted(path)),
      [],
    )
  })
}

/** Answers without an example. */
const exceptions = [
  { place: /openapi\.json\.get/, why: 'the answer is the document itself' },
  { place: /upload\/direct\/\.post/, why: 'tests get it only with an object store on S3' },
  { place: /compute/i, why: 'end-to-end tests have no driver that runs instances' },
  {
    place: /BillingPage|WholeInvoice|credit_note/,
    why: 'end-to-end tests cannot wait for the end of a month, and have no provider of payments',
  },
  { place: /202\.Message/, why: 'tests cannot tell when a thumbnail is being made' },
]

const isSuccess = (path: string[]) =>
  path.at(-1) === 'content' && path.includes('responses') && /^2\d\d/.test(path.at(-2) ?? '')

test('lists configured limits', () => {
  const text = JSON.stringify(document)
  assert.ok(text.includes('A body has at most 1048576 bytes'))
  assert.ok(text.includes('"description":"At most 8589934592 bytes."'))
})

test('each operation declares the errors of requests that are not valid HTTP', () => {
  for (const { operationId, responses } of operations) {
    const own = responses['4XX'] ?? {}
    const name = String(own.$ref).split('/').at(-1) ?? ''
    const errors = (document.components.responses?.[name] ?? own)['x-errors']
    const { 400: malformed, 417: unexpected } = errors as Record<number, string[]>
    assert.ok(malformed?.includes('malformed_request'), operationId)
    assert.ok(unexpected?.includes('expectation_failed'), operationId)
  }
})

test('the check of AI declares that AI may be switched off', () => {
  const check = operations.find(({ operationId }) => operationId === 'checkInsight')
  assert.match(JSON.stringify(check), /ai_disabled/)
})
