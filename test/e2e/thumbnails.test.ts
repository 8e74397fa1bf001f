import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Refusal } from '../src/client.js'
import { either } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { png, pngSize, svg, TEAL } from '../src/pictures.js'
import {
  at,
  base64,
  code,
  image,
  newFigure,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { DataObject, Thumbnail } from '../src/resources.js'

let alice: Person
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
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
})

test('a size that is out of bounds is refused, and the bounds are named', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(60, 30))])
  for (const size of [
    '0',
    '-1',
    'large',
    '1.5',
    '1e3',
    '4097',
    '9999999',
    '99999999999999999999',
  ]) {
    for (const path of [`revision/${revision.api_id}`, `figure/${place.figure.api_id}`]) {
      const { body } = await alice.api.get<Refusal>(`${path}/thumbnail/${size}/`, 400)
      const problem = 'must be a whole number of pixels from 1 to 4096'
      assert.deepEqual(body.errors, [{ field: 'size', problem }])
    }
  }
  await alice.api.get(`revision/${revision.api_id}/thumbnail/%00/`, 400)
})

test('from the publication to the picture a raw request is 202 with Retry-After, then 200', async () => {
  const revision = await newRevision(alice.api, place.figure.api_id, [image(png(600, 300))])
  const path = `revision/${revision.api_id}/thumbnail/?dl=1`
  const read = () =>
    alice.api.request<{ detail?: string }>('GET', path, {
      status: either('it may be made before the first read', 200, 202),
    })
  let answer = await read()
  for (; answer.status !== 200; answer = await read()) {
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(answer.body.detail ?? '', /being made/)
    await setTimeout(1000 * Number(answer.headers.get('retry-after')))
  }
  assert.deepEqual(pngSize(answer.bytes), { width: 600, height: 300 })
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

test('figure, analysis and workspace show the newest revision that has a thumbnail', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const above = [
    `figure/${figure.api_id}`,
    `analysis/${analysis.api_id}`,
    `workspace/${workspace.api_id}`,
  ]
  for (const path of above) {
    assert.equal((await alice.api.get<Thumbnail>(`${path}/thumbnail/`)).body.thumbnail, null)
    await alice.api.get(`${path}/thumbnail/?dl=1`, 404)
  }
  await publish(alice.api, figure.api_id, [image(png(600, 300))])
  const other = await newFigure(alice.api, analysis.api_id, 'Without a picture')
  await publish(alice.api, other.api_id, [code(Buffer.from('1 + 1'))])
  for (const path of above) {
    const { body } = await alice.api.get<Thumbnail>(`${path}/thumbnail/64/`)
    assert.deepEqual(pngSizeOf(body), { width: 64, height: 32 })
    const headers = { accept: 'image/*' }
    const picture = await alice.api.request('GET', `${path}/thumbnail/64`, { headers, status: 200 })
    assert.equal(base64(picture.bytes), body.thumbnail)
    const etag = picture.headers.get('etag') ?? ''
    const known = { headers: { ...headers, 'if-none-match': etag }, status: 304 }
    await alice.api.request('GET', `${path}/thumbnail/64`, known)
  }
})

test('the detail form carries the thumbnail, in each answer alike; shallow forms do not', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  type Shown = { thumbnail?: string | null }
  assert.equal((figure as Shown).thumbnail, null)
  const revision = await publish(alice.api, figure.api_id, [image(png(600, 300))])
  for (const path of [`figure/${figure.api_id}/`, `analysis/${analysis.api_id}/`]) {
    const { body } = await alice.api.get<Shown>(path)
    assert.deepEqual(pngSize(Buffer.from(body.thumbnail ?? '', 'base64')), {
      width: 256,
      height: 128,
    })
    for (const method of ['PUT', 'PATCH']) {
      const written = await alice.api.request<Shown>(method, path, { json: { name: method } })
      assert.equal(written.body.thumbnail, body.thumbnail)
    }
    const { body: shallow } = await alice.api.get<object>(`${path}?shallow=true`)
    assert.ok(!('thumbnail' in shallow))
  }
  assert.equal(typeof (revision as Shown).thumbnail, 'string')
  for (const path of [`workspace/${workspace.api_id}/`, 'workspace/', 'figure/', 'revision/']) {
    assert.doesNotMatch((await alice.api.get(path)).text, /"thumbnail"/)
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
  assert.deepEqual(pngSizeOf(body), { width: 64, height: 43 })
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

function pngSizeOf({ thumbnail }: Thumbnail): { width: number; height: number } {
  assert.equal(typeof thumbnail, 'string')
  return pngSize(Buffer.from(thumbnail ?? '', 'base64'))
}
