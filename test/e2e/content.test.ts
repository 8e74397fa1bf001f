import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { LATEST } from '../src/deployment.js'
import { at, base64, file, newPlace, type Place, processed, publish } from '../src/publish.js'
import type { DataObject, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'
import { dial, head } from '../src/wire.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

/** BLAKE3 of the bytes 0, 1, … 250, 0, 1, …, at the lengths where the shape of its tree changes. */
const VECTORS: [number, string][] = [
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  [100_000, 'd93c23eedaf165a7e0be908ba86f1a7a520d568d2d13cde787c8580c5c72cc54'],
  [3_145_729, 'fd984eaa20053d346cc7c79a175338f91556e68b871d877b23568a4587d9875b'],
]

test('hash is the BLAKE3 hash of the decoded bytes, and size_bytes their number', async () => {
  const contents = VECTORS.map(([length]) =>
    Buffer.from(Uint8Array.from({ length }, (_, i) => i % 251)),
  )
  const sent = contents.map((bytes) => file(bytes))
  const revision = await publish(alice.api, place.figure.api_id, sent)
  for (const [i, [length, hash]] of VECTORS.entries()) {
    const object = at(revision.data, i)
    assert.equal(object.hash, hash, `of ${length} bytes`)
    assert.equal(object.size_bytes, length)
    const { body } = await alice.api.get<DataObject>(`data/${object.api_id}/`)
    assert.equal(body.data, at(sent, i).data)
    assert.equal(body.hash, hash)
  }
  assert.equal(
    revision.size_bytes,
    contents.reduce((sum, bytes) => sum + bytes.length, 0),
  )
})

test('equal content has the same hash but two ids, and counts twice', async () => {
  const { figure } = await newPlace(alice.api)
  const bytes = randomBytes(777)
  const data = [file(bytes, 'one'), file(bytes, 'two')]
  const revision = await publish(alice.api, figure.api_id, data)
  const [one, two] = [at(revision.data, 0), at(revision.data, 1)]
  assert.equal(one.hash, two.hash)
  assert.notEqual(one.api_id, two.api_id)
  assert.equal(revision.size_bytes, 2 * 777)
  await alice.api.delete(`revision/${revision.api_id}/`)
  const again = await publish(alice.api, figure.api_id, data)
  const { body } = await alice.api.get<DataObject>(`data/${at(again.data, 0).api_id}/`)
  assert.equal(body.data, base64(bytes), 'content shared with a deleted revision should remain')
})

test('stores all five types of data with their names, metadata and flags', async () => {
  const sent = ['image', 'code', 'text', 'dataframe', 'file'].map((type, i) => ({
    name: i === 0 ? null : `größe ${i} 😀`,
    type,
    metadata: { local_id: crypto.randomUUID(), nothing: null, n: [1, { b: 1, a: 2 }] },
    data: base64(randomBytes(i * 10)),
    is_clean_room: i % 2 === 1,
  }))
  const revision = await publish(alice.api, place.figure.api_id, sent, { is_clean_room: true })
  assert.equal(revision.is_clean_room, true)
  for (const [i, expected] of sent.entries()) {
    const { body } = await alice.api.get<DataObject>(`data/${at(revision.data, i).api_id}/`)
    const { name, type, metadata, data, is_clean_room } = body
    assert.deepEqual({ name, type, metadata, data, is_clean_room }, expected)
  }
})

test('accepts missing and null metadata of revisions and data', async () => {
  const figure = place.figure.api_id
  const data = [
    { type: 'text', data: '' },
    { type: 'text', data: '', metadata: null },
  ]
  const { body } = await alice.api.post<Revision>('revision/', { figure, data })
  assert.deepEqual(
    body.data?.map(({ metadata }) => metadata),
    [{}, {}],
  )
  const bare = await alice.api.post<Revision>('revision/', { figure })
  assert.deepEqual(bare.body.data, [])
  assert.equal(bare.body.size_bytes, 0)
  assert.equal(bare.body.is_clean_room, false)
  await processed(alice.api, bare.body.api_id)
})

for (const [what, metadata] of [
  ['an object', '{"b":1,"a":2,"10":1,"2":2,"b2":{"z":[],"y":{}}}'],
  ['numbers that JavaScript would round', '{"n":9007199254740993,"f":1.0,"e":1E400,"z":-0}'],
  ['an empty array', '[]'],
  ['a string', '"just text"'],
  ['a number', '12345678901234567890'],
  ['false', 'false'],
  ['names of JavaScript properties', '{"__proto__":{"a":1},"constructor":null}'],
  ['escapes', String.raw`{"q":"\"\\\/\b\f\n\r\t","u":"\u00e9\ud83d\ude00","not":"\\u0000"}`],
  ['text of any language', '{"ключ":"値","emoji 😀":"ß"}'],
  ['deep nesting', `${'[{"a":'.repeat(15)}1${'}]'.repeat(15)}`],
] as const) {
  test(`returns metadata unchanged: ${what}`, async () => {
    const figure = place.figure.api_id
    const raw = `{"figure":"${figure}","metadata":${metadata},"data":[]}`
    const created = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
    const { text } = await alice.api.get(`revision/${created.body.api_id}/`)
    for (const answer of [created.text, text]) expectVerbatim(answer, metadata)
  })
}

test('returns metadata of data objects unchanged', async () => {
  const metadata = '{"b":1,"a":9007199254740993,"10":1.0,"2":{"y":[],"x":{}}}'
  const object = `{"type":"text","data":"","metadata":${metadata},"name":"m"}`
  const raw = `{"data":[${object}],"figure":"${place.figure.api_id}"}`
  const created = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
  const data = at(created.body.data, 0).api_id
  const reads = await Promise.all([
    alice.api.get(`revision/${created.body.api_id}/`),
    alice.api.get(`data/${data}/`),
  ])
  for (const { text } of [created, ...reads]) expectVerbatim(text, metadata)
})

test('accepts members in any order, data first and figure last', async () => {
  const figure = place.figure.api_id
  const bytes = randomBytes(200_000)
  const sent = { data: base64(bytes), metadata: { a: 1 }, type: 'file', name: 'late' }
  const body = { data: [sent], is_clean_room: true, metadata: { b: 2 }, unknown: [], figure }
  const { body: created } = await alice.api.post<Revision>('revision/', body)
  const revision = await processed(alice.api, created.api_id)
  assert.equal(revision.is_clean_room, true)
  assert.deepEqual(revision.metadata, { b: 2 })
  const { body: object } = await alice.api.get<DataObject>(`data/${at(revision.data, 0).api_id}/`)
  assert.deepEqual([object.name, object.metadata, object.data], ['late', { a: 1 }, sent.data])
})

test('accepts base64 with JSON escapes', async () => {
  const bytes = Buffer.from('fbff3e7efbff', 'hex')
  const escaped = base64(bytes).replaceAll('/', '\\/').replace('+', '\\u002b')
  assert.ok(escaped.includes('\\/') && escaped.includes('\\u002b'))
  const object = `{"type":"file","data":"${escaped}"}`
  const raw = `{"figure":"${place.figure.api_id}","data":[${object}]}`
  const created = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
  const { body } = await alice.api.get<DataObject>(`data/${at(created.body.data, 0).api_id}/`)
  assert.equal(body.data, base64(bytes))
})

test('uploads and downloads 20 MB in bounded time', async () => {
  const bytes = randomBytes(20 * 1024 * 1024)
  const startedAt = Date.now()
  const { figure } = await newPlace(alice.api)
  const revision = await publish(alice.api, figure.api_id, [file(bytes)])
  const data = at(revision.data, 0)
  assert.equal(data.size_bytes, bytes.length)
  const response = await alice.api.get<DataObject>(`data/${data.api_id}/`)
  assert.ok(
    Buffer.from(response.body.data ?? '', 'base64').equals(bytes),
    'the bytes should be identical',
  )
  const tookMs = Date.now() - startedAt
  assert.ok(tookMs < 20_000, `took ${tookMs} ms`)
})

test('a client that stops reading a download does not affect others', async () => {
  const { figure } = await newPlace(alice.api)
  const bytes = randomBytes(8 * 1024 * 1024)
  const revision = await publish(alice.api, figure.api_id, [file(bytes)])
  const path = `data/${at(revision.data, 0).api_id}/`
  const { authorization } = alice.api
  for (let i = 0; i < 4; i++) {
    const wire = await dial()
    await wire.write(head({ method: 'GET', path: `/api/${LATEST}/${path}`, authorization }))
    await wire.begun()
    wire.destroy()
  }
  const { body } = await alice.api.get<DataObject>(path)
  assert.equal(body.data, base64(bytes))
})

test('keeps the order of many small objects in one revision', async () => {
  const { figure } = await newPlace(alice.api)
  const sent = Array.from({ length: 300 }, (_, i) => file(Buffer.from(`object ${i}`), `n${i}`))
  const revision = await publish(alice.api, figure.api_id, sent)
  assert.deepEqual(
    revision.data?.map(({ name }) => name),
    sent.map(({ name }) => name),
  )
  const last = at(revision.data, -1)
  const { body } = await alice.api.get<DataObject>(`data/${last.api_id}/`)
  assert.equal(body.data, at(sent, -1).data)
})

/** A space may follow the colon; the rest is the user's text. */
function expectVerbatim(text: string, metadata: string): void {
  const compact = text.replaceAll('"metadata": ', '"metadata":')
  assert.ok(compact.includes(`"metadata":${metadata}`), `${metadata} should be in ${text}`)
}
