import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Refusal } from '../src/client.js'
import { either } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { png, pngSize, svg, TEAL } from '../src/images.js'
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
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

test('a thumbnail fits the requested size and keeps the aspect ratio', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(600, 300))])
  for (const size of [1, 16, 64, 100, 256]) {
    for (const path of [`thumbnail/${size}/`, `thumbnail/${size}`]) {
      const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/${path}`)
      const { width, height } = pngSizeOf(body)
      assert.ok(width <= size && height <= size, `${width}x${height} for ${size}`)
      assert.equal(width, size, 'the longer side should have the requested size')
      assert.ok(Math.abs(height - Math.max(1, width / 2)) <= 1, `${width}x${height}`)
    }
  }
  const { body: whole } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/`)
  assert.ok(pngSizeOf(whole).width > 0)
  assert.match(whole.format, /^png$/i)
})

test('rejects sizes out of range, and names the range', async () => {
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
      const problem = 'must be an integer between 1 and 4096'
      assert.deepEqual(body.errors, [{ field: 'size', problem }])
    }
  }
  await alice.api.get(`revision/${revision.api_id}/thumbnail/%00/`, 400)
})

test('sends 202 with Retry-After until the thumbnail is ready, then 200', async () => {
  const revision = await newRevision(alice.api, place.figure.api_id, [image(png(600, 300))])
  const path = `revision/${revision.api_id}/thumbnail/?dl=1`
  const read = () =>
    alice.api.request<{ detail?: string }>('GET', path, {
      status: either('it may be ready before the first read', 200, 202),
    })
  let answer = await read()
  for (; answer.status !== 200; answer = await read()) {
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(answer.body.detail ?? '', /not ready/)
    await setTimeout(1000 * Number(answer.headers.get('retry-after')))
  }
  assert.deepEqual(pngSize(answer.bytes), { width: 600, height: 300 })
})

test('sends a raw PNG with an ETag for dl=1 or an image type in Accept', async () => {
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
    assert.equal(base64(answer.bytes), body.thumbnail, 'both forms should contain the same image')
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

test('an Accept of */* does not request the raw image', async () => {
  const revision = await publish(alice.api, place.figure.api_id, [image(png(30, 20))])
  const path = `revision/${revision.api_id}/thumbnail/16/`
  for (const accept of ['*/*', 'application/json, text/xml, application/xml, */*']) {
    const answer = await alice.api.request<Thumbnail>('GET', path, { headers: { accept } })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    pngSizeOf(answer.body)
  }
})

test('figure, analysis and workspace have the thumbnail of the newest revision with one', async () => {
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

test('all detail forms contain the thumbnail, shallow forms do not', async () => {
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
  test(`${version}: sends 200 with null without a thumbnail`, async () => {
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
  test(`creates a thumbnail of a ${format} image, independent of its metadata`, async () => {
    for (const sent of [image(bytes, format), { ...image(bytes), metadata: {} }]) {
      const revision = await publish(alice.api, place.figure.api_id, [sent])
      const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/24/`)
      assert.deepEqual(pngSizeOf(body), { width: 24, height: 16 })
    }
  })
}

test('creates thumbnails of SVG, and for other spellings of the format', async () => {
  for (const sent of [image(svg(300, 200), 'svg'), image(png(300, 200), 'PNG')]) {
    const revision = await publish(alice.api, place.figure.api_id, [sent])
    const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/50/`)
    assert.ok(pngSizeOf(body).width <= 50)
  }
})

test('stores undecodable bytes unchanged, without a thumbnail and with the error', async () => {
  const truncated = png(200, 200).subarray(0, 300)
  for (const bytes of [Buffer.from('updated'), randomBytes(5000), truncated, Buffer.alloc(0)]) {
    const created = await newRevision(alice.api, place.figure.api_id, [image(bytes)])
    const revision = await processed(alice.api, created.api_id)
    const object = at(revision.data, 0)
    const { body } = await alice.api.get<DataObject>(`data/${object.api_id}/`)
    assert.equal(body.data, base64(bytes))
    assert.equal(body.size_bytes, bytes.length)
    const path = `revision/${revision.api_id}/thumbnail/64/`
    // The result for a truncated image depends on libvips.
    if (bytes === truncated) continue
    assert.equal((await alice.api.get<Thumbnail>(path)).body.thumbnail, null)
    const failure = body.processing_error ?? body.metadata.processing_error
    assert.equal(typeof failure, 'string', 'the failure should be recorded')
    assert.notEqual(failure, '')
  }
})

test('an undecodable image does not prevent the thumbnail of another one', async () => {
  const data = [image(Buffer.from('nothing')), image(png(90, 60))]
  const revision = await publish(alice.api, place.figure.api_id, data)
  const { body } = await alice.api.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/64/`)
  assert.deepEqual(pngSizeOf(body), { width: 64, height: 43 })
})

test('handles images with excessive dimensions', async () => {
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
