import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { png, pngSize, svg, TEAL } from '../src/pictures.js'
import {
  at,
  base64,
  code,
  file,
  image,
  newFigure,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { DataObject, Figure, Revision, Thumbnail } from '../src/resources.js'

let alice: Person
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

/** BLAKE3 of the bytes 0, 1, … 250, 0, 1, … at the lengths where its tree changes shape. */
const VECTORS: [number, string][] = [
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  [100_000, 'd93c23eedaf165a7e0be908ba86f1a7a520d568d2d13cde787c8580c5c72cc54'],
  [3_145_729, 'fd984eaa20053d346cc7c79a175338f91556e68b871d877b23568a4587d9875b'],
]

test('hash is the BLAKE3 of the decoded bytes, size_bytes their number', async () => {
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

test('equal content stored twice has one hash, two ids, and counts twice', async () => {
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
  assert.equal(body.data, base64(bytes), 'content shared with a deleted revision should live on')
})

test('all five types of data are kept with their names, metadata and flags', async () => {
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

test('metadata may be left out or null, of the revision and of its data', async () => {
  const figure = place.figure.api_id
  const data = [
    { type: 'text', data: '' },
    { type: 'text', data: '', metadata: null },
  ]
  const { body } = await alice.api.post<Revision>('revision/', { figure, data })
  for (const object of body.data ?? []) assert.deepEqual(object.metadata, {})
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
  ['member names that mean something to JavaScript', '{"__proto__":{"a":1},"constructor":null}'],
  ['escapes', String.raw`{"q":"\"\\\/\b\f\n\r\t","u":"\u00e9\ud83d\ude00","not":"\\u0000"}`],
  ['text of any language', '{"ключ":"値","emoji 😀":"ß"}'],
  ['deep but sane nesting', `${'[{"a":'.repeat(15)}1${'}]'.repeat(15)}`],
] as const) {
  test(`metadata comes back as it was written: ${what}`, async () => {
    const figure = place.figure.api_id
    const raw = `{"figure":"${figure}","metadata":${metadata},"data":[]}`
    const created = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
    const { text } = await alice.api.get(`revision/${created.body.api_id}/`)
    for (const answer of [created.text, text]) expectVerbatim(answer, metadata)
  })
}

test("a data object's metadata comes back as it was written", async () => {
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

test('members may come in any order, data first and figure last', async () => {
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

test('base64 may be escaped as JSON allows', async () => {
  const bytes = Buffer.from('fbff3e7efbff', 'hex')
  const escaped = base64(bytes).replaceAll('/', '\\/').replace('+', '\\u002b')
  assert.ok(escaped.includes('\\/') && escaped.includes('\\u002b'))
  const object = `{"type":"file","data":"${escaped}"}`
  const raw = `{"figure":"${place.figure.api_id}","data":[${object}]}`
  const created = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
  const { body } = await alice.api.get<DataObject>(`data/${at(created.body.data, 0).api_id}/`)
  assert.equal(body.data, base64(bytes))
})

test('a picture has a thumbnail no larger than asked, in its proportions', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(600, 300))])
  for (const size of [1, 16, 64, 100, 256]) {
    for (const path of [`thumbnail/${size}/`, `thumbnail/${size}`]) {
      const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/${path}`)
      const { width, height } = pngSizeOf(body)
      assert.ok(width <= size && height <= size, `${width}x${height} for ${size}`)
      assert.equal(width, size, 'the longer side should have the size asked for')
      assert.ok(Math.abs(height - Math.max(1, width / 2)) <= 1, `${width}x${height}`)
    }
  }
  const { body: whole } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/`)
  assert.ok(pngSizeOf(whole).width > 0)
  assert.match(whole.format, /^png$/i)
  const { body: read } = await alice.api.get<Revision>(`revision/${revision.api_id}/`)
  assert.ok(pngSizeOf({ format: 'png', thumbnail: read.thumbnail ?? null }).width > 0)
})

test('a size that is none is refused', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(60, 30))])
  for (const size of ['0', '-1', 'large', '1.5', '1e3', '99999999999999999999', '%00']) {
    await alice.api.get(`revision/${revision.api_id}/thumbnail/${size}/`, [400, 404])
  }
})

test('the thumbnail is a raw PNG with an ETag when asked by dl=1 or by Accept', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(320, 200))])
  const path = `revision/${revision.api_id}/thumbnail/64/`
  const { body } = await alice.api.get<Thumbnail>(path)
  for (const [query, accept] of [
    ['?dl=1', '*/*'],
    ['', 'image/*'],
    ['', 'image/png'],
    ['', 'image/webp, image/png;q=0.8'],
  ] as const) {
    const headers = { accept }
    const answer = await alice.api.request('GET', path + query, { headers, status: 200 })
    assert.equal(answer.headers.get('content-type'), 'image/png')
    assert.equal(base64(answer.bytes), body.thumbnail, 'both forms should be one picture')
    assert.match(answer.headers.get('vary') ?? '', /accept/i)
    const etag = answer.headers.get('etag') ?? ''
    assert.match(etag, /^(W\/)?".+"$/)
    const known = { headers: { accept, 'if-none-match': etag }, status: 304 }
    const unchanged = await alice.api.request('GET', path + query, known)
    assert.equal(unchanged.bytes.length, 0)
    const other = { headers: { accept, 'if-none-match': '"other"' }, status: 200 }
    await alice.api.request('GET', path + query, other)
  }
})

test('an Accept of anything does not ask for the image form', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(30, 20))])
  const path = `revision/${revision.api_id}/thumbnail/16/`
  for (const accept of ['*/*', 'application/json, text/xml, application/xml, */*']) {
    const answer = await alice.api.request<Thumbnail>('GET', path, { headers: { accept } })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    pngSizeOf(answer.body)
  }
})

for (const version of VERSIONS) {
  test(`${version}: no thumbnail is 200 with null`, async () => {
    const me = alice.at(version)
    const figure = await newFigure(me, place.analysis.api_id)
    const revision = await publish(me, figure.api_id, [code(Buffer.from('1 + 1'))])
    for (const path of ['thumbnail/', 'thumbnail', 'thumbnail/128/', 'thumbnail/128']) {
      const { body } = await me.get<Thumbnail>(`revision/${revision.api_id}/${path}`)
      assert.equal(body.thumbnail, null)
    }
    const { body } = await me.get<Figure>(`figure/${figure.api_id}/`)
    assert.equal(body.thumbnail, null)
  })
}

for (const [format, bytes] of Object.entries(TEAL)) {
  test(`a ${format} picture has a thumbnail, whatever its metadata calls it`, async () => {
    for (const sent of [image(bytes, format), { ...image(bytes), metadata: {} }]) {
      const revision = await publish(alice.api, place.figure.api_id, [sent])
      const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/24/`)
      assert.deepEqual(pngSizeOf(body), { width: 24, height: 16 })
    }
  })
}

test('SVG, and pictures whose format is written otherwise, have thumbnails too', async () => {
  for (const sent of [image(svg(300, 200), 'svg'), image(png(300, 200), 'PNG')]) {
    const revision = await publish(alice.api, place.figure.api_id, [sent])
    const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/50/`)
    assert.ok(pngSizeOf(body).width <= 50)
  }
})

test('bytes that no decoder takes are kept intact, without thumbnail, the failure shown', async () => {
  const truncated = png(200, 200).subarray(0, 300)
  for (const bytes of [Buffer.from('updated'), randomBytes(5000), truncated, Buffer.alloc(0)]) {
    const created = await newRevision(alice.api, place.figure.api_id, [image(bytes)])
    const revision = await processed(alice.api, created.api_id)
    const object = at(revision.data, 0)
    const { body } = await alice.api.get<DataObject>(`data/${object.api_id}/`)
    assert.equal(body.data, base64(bytes))
    assert.equal(body.size_bytes, bytes.length)
    const path = `revision/${revision.api_id}/thumbnail/64/`
    // What libvips makes of a picture that breaks off is its own affair.
    if (bytes === truncated) continue
    assert.equal((await alice.api.get<Thumbnail>(path)).body.thumbnail, null)
    const failure = body.processing_error ?? body.metadata.processing_error
    assert.equal(typeof failure, 'string', 'the failure should be recorded')
    assert.notEqual(failure, '')
  }
})

test('one undecodable picture does not take the thumbnail from a good one', async () => {
  const data = [image(Buffer.from('nothing')), image(png(90, 60))]
  const revision = await publish(alice.api, place.figure.api_id, data)
  const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/64/`)
  pngSizeOf(body)
})

test('a picture of absurd dimensions does no harm', async () => {
  const bomb = png(1, 1)
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  const evil = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
      'width="99999999" height="99999999"><image xlink:href="file:///etc/passwd"/></svg>',
  )
  const data = [image(bomb), image(evil, 'svg')]
  const revision = await publish(alice.api, place.figure.api_id, data)
  const { body } = await alice.api.get<DataObject>(`data/${at(revision.data, 0).api_id}/`)
  assert.equal(body.data, base64(bomb))
})

test('the figure shows the thumbnail of its newest revision', async () => {
  const { figure } = await newPlace(alice.api)
  await publish(alice.api, figure.api_id, [image(png(80, 40))])
  const { body } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.ok(pngSizeOf({ format: 'png', thumbnail: body.thumbnail }).width > 0)
})

test('20 MB go in and come out in bounded time', async () => {
  const bytes = randomBytes(20 * 1024 * 1024)
  const startedAt = Date.now()
  const { figure } = await newPlace(alice.api)
  const revision = await publish(alice.api, figure.api_id, [file(bytes)])
  const data = at(revision.data, 0)
  assert.equal(data.size_bytes, bytes.length)
  const response = await alice.api.get<DataObject>(`data/${data.api_id}/`)
  assert.ok(Buffer.from(response.body.data ?? '', 'base64').equals(bytes), 'byte for byte')
  const tookMs = Date.now() - startedAt
  assert.ok(tookMs < 20_000, `took ${tookMs} ms`)
})

test('many small objects in one revision are kept in their order', async () => {
  const { figure } = await newPlace(alice.api)
  const sent = Array.from({ length: 300 }, (_, i) => file(Buffer.from(`object ${i}`), `n${i}`))
  const revision = await publish(alice.api, figure.api_id, sent)
  assert.deepEqual(
    revision.data?.map(({ name }) => name),
    sent.map(({ name }) => name),
  )
  const last = at(revision.data, -1)
  const { body } = await alice.at(LATEST).get<DataObject>(`data/${last.api_id}/`)
  assert.equal(body.data, at(sent, -1).data)
})

function pngSizeOf({ thumbnail }: Thumbnail): { width: number; height: number } {
  assert.equal(typeof thumbnail, 'string')
  return pngSize(Buffer.from(thumbnail ?? '', 'base64'))
}

/** A space may follow the colon; all else is the user's own text. */
function expectVerbatim(text: string, metadata: string): void {
  const compact = text.replaceAll('"metadata": ', '"metadata":')
  assert.ok(compact.includes(`"metadata":${metadata}`), `${metadata} should be in ${text}`)
}
