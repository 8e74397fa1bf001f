import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { type UploadTarget, upload } from '@figbase/client'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { client, either, messageOf, type Refusal } from '../src/client.js'
import { deployment, LATEST, VERSIONS } from '../src/deployment.js'
import { bytesOf } from '../src/figbase.js'
import { storageLimitsSeen } from '../src/plans.js'
import {
  at,
  newAsset,
  newAssetRevision,
  newPlace,
  newRevision,
  newWorkspace,
  type Place,
} from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { findRemainingObjects, findStoredObjects } from '../src/stored-objects.js'
import {
  appendToUpload,
  beginUpload,
  metadataOf,
  newUpload,
  offsetOf,
  tus,
  uploadedData,
} from '../src/uploads.js'
import { signUp, type TestUser } from '../src/users.js'
import { chunk, dial, exchange, head } from '../src/wire.js'

let alice: TestUser
let stranger: TestUser
let place: Place
let figure: { figure: string }
before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
  figure = { figure: place.figure.api_id }
})

const stored = ({ data }: Pick<Revision, 'data'>, index = 0) =>
  bytesOf(alice.figbase, at(data, index).api_id)

for (const version of VERSIONS) {
  test(`${version}: uploads bytes in several requests, and uses them as data of a revision`, async () => {
    const me = alice.at(version)
    const bytes = randomBytes(300_000)
    const url = await newUpload(me, { ...figure, filename: 'large.bin' }, bytes.length)
    assert.match(url, new RegExp(`^/api/${version}/upload/[0-9a-f-]{36}/$`))
    const first = await appendToUpload(me, url, 0, bytes.subarray(0, 100_000))
    assert.equal(first.headers.get('upload-offset'), '100000')
    assert.equal(first.headers.get('tus-resumable'), '1.0.0')
    const inDays = (Date.parse(first.headers.get('upload-expires') ?? '') - Date.now()) / 86_400_000
    assert.ok(inDays > 0.99 && inDays <= 1, `expires in ${inDays} days`)

    const { headers } = await me.request('HEAD', url, { headers: tus, status: 200 })
    assert.equal(headers.get('upload-offset'), '100000')
    assert.equal(headers.get('upload-length'), '300000')
    assert.equal(headers.get('upload-metadata'), metadataOf({ ...figure, filename: 'large.bin' }))
    assert.equal(headers.get('cache-control'), 'no-store')
    await appendToUpload(me, url, 100_000, bytes.subarray(100_000))
    const revision = await newRevision(me, place.figure.api_id, [uploadedData(url)])
    const read = await me.get(`data/${at(revision.data, 0).api_id}/?dl=1`)
    assert.ok(read.bytes.equals(bytes))
    await me.request('HEAD', url, { headers: tus, status: 404 })
  })
}

test('the trailing slash is optional; uploads can be given by URL or id', async () => {
  const bytes = randomBytes(1000)
  const path = async () => new URL(await upload(alice.figbase, figure, bytes)).pathname
  const withoutSlash = (await path()).slice(0, -1)
  assert.equal(await offsetOf(alice.api, withoutSlash), 1000)
  const id = withoutSlash.split('/').at(-1) ?? ''
  const named = [
    uploadedData(id),
    uploadedData(await upload(alice.figbase, figure, bytes)),
    uploadedData(await path()),
  ]
  const { data } = await newRevision(alice.api, place.figure.api_id, named)
  assert.equal(data?.length, 3)
})

test('OPTIONS describes the protocol without credentials, and allows its headers (CORS)', async () => {
  for (const path of ['upload/', `upload/${crypto.randomUUID()}`]) {
    const answer = await exchange({ method: 'OPTIONS', path: `/api/${LATEST}/${path}` })
    assert.equal(answer?.status, 204)
    const { headers } = answer
    assert.equal(headers.get('tus-version'), '1.0.0')
    assert.equal(headers.get('tus-resumable'), '1.0.0')
    assert.equal(
      headers.get('tus-extension'),
      'creation,creation-with-upload,creation-defer-length,termination,expiration',
    )
    assert.ok(Number(headers.get('tus-max-size')) >= 2 ** 30)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.match(headers.get('access-control-allow-headers') ?? '', /Upload-Offset/)
    assert.match(headers.get('access-control-expose-headers') ?? '', /Upload-Offset/)
    const methods = path === 'upload/' ? /POST/ : /HEAD, PATCH, DELETE/
    assert.match(headers.get('access-control-allow-methods') ?? '', methods)
  }
})

test('accepts bytes with the creation, and the length later', async () => {
  const bytes = randomBytes(5000)
  const type = { 'content-type': 'application/offset+octet-stream' }
  const { headers } = await alice.api.request('POST', 'upload/', {
    headers: { ...tus, ...type, 'upload-length': '5000', 'upload-metadata': metadataOf(figure) },
    raw: bytes,
    status: 201,
  })
  assert.equal(headers.get('upload-offset'), '5000')
  const whole = headers.get('location') ?? ''

  const url = await newUpload(alice.api, figure, undefined)
  const asked = await alice.api.request('HEAD', url, { headers: tus, status: 200 })
  assert.equal(asked.headers.get('upload-defer-length'), '1')
  assert.equal(asked.headers.get('upload-length'), null)
  await appendToUpload(alice.api, url, 0, bytes.subarray(0, 2000))
  const early = { figure: place.figure.api_id, metadata: {}, data: [uploadedData(url)] }
  const refusal = await alice.api.post<Refusal>('revision/', early, 400)
  assert.match(messageOf(refusal), /data\[0\].upload: is incomplete/)
  await appendToUpload(alice.api, url, 2000, bytes.subarray(2000), {
    headers: { 'upload-length': '5000' },
  })
  await appendToUpload(alice.api, url, 5000, new Uint8Array(), {
    headers: { 'upload-length': '6000' },
    status: 400,
  })
  const revision = await newRevision(alice.api, place.figure.api_id, [
    uploadedData(whole),
    uploadedData(url),
  ])
  assert.ok((await stored(revision, 0)).equals(bytes))
  assert.ok((await stored(revision, 1)).equals(bytes))
})

test('an empty upload is complete at once, and becomes an empty data object', async () => {
  const url = await newUpload(alice.api, figure, 0)
  assert.equal(await offsetOf(alice.api, url), 0)
  const revision = await newRevision(alice.api, place.figure.api_id, [uploadedData(url)])
  assert.equal((await stored(revision)).length, 0)
})

test('only one of several concurrent appends succeeds', async () => {
  const url = await newUpload(alice.api, figure, 200_000)
  const all = [1, 2, 3, 4].map(() => randomBytes(200_000))
  const answers = await Promise.all(
    all.map((bytes) =>
      appendToUpload<Refusal>(alice.api, url, 0, bytes, {
        status: either('one wins, the others arrive during or after it', 204, 409, 423),
      }),
    ),
  )
  const winners = all.filter((_, index) => at(answers, index).status === 204)
  assert.equal(winners.length, 1)
  for (const { status, body, headers } of answers.filter((one) => one.status !== 204)) {
    assert.equal(body.error, status === 423 ? 'upload_locked' : 'offset_conflict')
    assert.equal(headers.get('tus-resumable'), '1.0.0')
  }
  const revision = await newRevision(alice.api, place.figure.api_id, [uploadedData(url)])
  assert.ok((await stored(revision)).equals(at(winners, 0)))
})

test('rejects invalid requests with a JSON error', async () => {
  const url = await newUpload(alice.api, figure, 100)
  const some = Buffer.alloc(10)
  const patch = (headers: Record<string, string>, status: number) =>
    appendToUpload<Refusal>(alice.api, url, 0, some, { headers, status })
  for (const [headers, status, names] of [
    [{ 'upload-offset': '5' }, 409, /offset_conflict/],
    [{ 'upload-offset': '-1' }, 400, /upload-offset/],
    [{ 'upload-offset': '0x0' }, 400, /upload-offset/],
    [{ 'upload-offset': '1e3' }, 400, /upload-offset/],
    [{ 'content-type': 'application/json' }, 415, /offset\+octet-stream/],
    [{ 'content-encoding': 'gzip' }, 415, /Content-Encoding/],
    [{ 'tus-resumable': '0.2.1' }, 412, /Tus-Resumable/],
    [{ 'upload-checksum': 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=' }, 400, /Upload-Checksum/],
    [{ 'upload-length': '200' }, 400, /invalid_request/],
  ] as const) {
    assert.match(messageOf(await patch(headers, status)), names)
  }
  const { headers } = await patch({ 'tus-resumable': '2.0.0' }, 412)
  assert.equal(headers.get('tus-version'), '1.0.0')
  await appendToUpload(alice.api, url, 0, Buffer.alloc(101), { status: 413 })
  const { authorization } = alice.api
  const chunked = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'transfer-encoding': 'chunked',
  }
  await using wire = await dial()
  await wire.write(head({ method: 'PATCH', path: url, authorization, headers: chunked }))
  await wire.write(`${chunk('x'.repeat(101))}0\r\n\r\n`)
  assert.equal((await wire.answer())?.status, 413)
  for (const missing of ['upload-offset', 'content-type']) {
    const all = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const rest = Object.entries(all).filter(([name]) => name !== missing)
    const answer = await exchange(
      { method: 'PATCH', path: url, authorization, headers: Object.fromEntries(rest) },
      'x',
    )
    assert.equal(answer?.status, missing === 'content-type' ? 415 : 400)
  }
  assert.equal(await offsetOf(alice.api, url), 0)
})

test('rejects an invalid creation with the header', async () => {
  const post = (headers: Record<string, string>, status: number) =>
    alice.api.request<Refusal>('POST', 'upload/', { headers: { ...tus, ...headers }, status })
  const metadata = { 'upload-metadata': metadataOf(figure) }
  const length = { 'upload-length': '10' }
  for (const [headers, status] of [
    [{ ...metadata }, 400],
    [{ ...metadata, ...length, 'upload-defer-length': '1' }, 400],
    [{ ...metadata, 'upload-defer-length': '2' }, 400],
    [{ ...metadata, 'upload-length': '-1' }, 400],
    [{ ...metadata, 'upload-length': '10.5' }, 400],
    [{ ...metadata, 'upload-length': '9007199254740993' }, 400],
    [{ ...metadata, 'upload-length': '9007199254740992' }, 413],
    [{ ...metadata, ...length, 'upload-concat': 'partial' }, 501],
    [{ ...metadata, ...length, 'tus-resumable': '' }, 412],
    [{ ...length }, 400],
    [{ ...length, 'upload-metadata': 'figure ???' }, 400],
    [{ ...length, 'upload-metadata': 'figure' }, 400],
    [{ ...length, 'upload-metadata': `${metadataOf(figure)},${metadataOf(figure)}` }, 400],
    [{ ...length, 'upload-metadata': metadataOf({ ...figure, asset: figure.figure }) }, 400],
    [{ ...length, 'upload-metadata': metadataOf({ figure: `${figure.figure}\0` }) }, 400],
    [{ ...length, 'upload-metadata': metadataOf({ figure: crypto.randomUUID() }) }, 400],
    [{ ...length, 'upload-metadata': metadataOf({ asset: figure.figure }) }, 400],
    [{ ...length, 'upload-metadata': metadataOf({ __proto__x: 'x' }) }, 400],
    [{ ...length, 'upload-metadata': `__proto__ eA==,${metadataOf(figure)}` }, 400],
    [{ ...length, 'upload-metadata': `${metadataOf(figure)},x ${'A'.repeat(20_000)}` }, 431],
  ] as const) {
    const { body } = await post(headers, status)
    assert.ok(body.error, JSON.stringify(headers))
  }
  // Other metadata is free-form, and need not be text.
  const odd = `${metadataOf(figure)},filename ${Buffer.from([0, 0xff, 0xfe]).toString('base64')},flag`
  const { headers } = await post({ ...length, 'upload-metadata': odd }, 201)
  const url = headers.get('location') ?? ''
  const asked = await alice.api.request('HEAD', url, { headers: tus, status: 200 })
  assert.equal(asked.headers.get('upload-metadata'), odd)
})

test('supports X-HTTP-Method-Override on POST', async () => {
  const url = await newUpload(alice.api, figure, 3)
  const { authorization } = alice.api
  const post = async (method: string, more: object, status: number, body = '') => {
    const headers = { ...tus, 'x-http-method-override': method, ...more }
    const answer = await exchange({ method: 'POST', path: url, authorization, headers }, body)
    assert.equal(answer?.status, status, method)
    return answer.headers
  }
  const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  assert.equal((await post('PATCH', type, 204, 'abc')).get('upload-offset'), '3')
  assert.equal((await post('HEAD', {}, 200)).get('upload-offset'), '3')
  await post('GET', {}, 405)
  await post('constructor', {}, 405)
  await post('DELETE', {}, 204)
  await post('HEAD', {}, 404)
  // Other routes ignore the header.
  const path = `workspace/${place.workspace.api_id}/`
  await alice.api.request('POST', path, {
    headers: { 'x-http-method-override': 'DELETE' },
    status: 405,
  })
  await alice.api.request('GET', url, { headers: tus, status: 405 })
})

test('deletes an upload with its bytes', async () => {
  const bytes = randomBytes(100_000)
  const url = await newUpload(alice.api, figure, 200_000)
  await appendToUpload(alice.api, url, 0, bytes)
  if (deployment.dataDir) assert.equal((await findStoredObjects(bytes.subarray(0, 64))).length, 1)
  await alice.api.request('DELETE', url, { headers: tus, status: 204 })
  for (const method of ['HEAD', 'DELETE']) {
    await alice.api.request(method, url, { headers: tus, status: 404 })
  }
  await appendToUpload(alice.api, url, 100_000, bytes, { status: 404 })
  if (deployment.dataDir) assert.deepEqual(await findRemainingObjects(bytes.subarray(0, 64)), [])
})

test('rejects a creation without permission before any byte is read', async () => {
  assert.equal((await beginUpload<Refusal>(stranger.api, figure, 10, { status: 403 })).status, 403)
  assert.equal(
    (await beginUpload<Refusal>(client(), figure, 10, { status: 401 })).body.code,
    'not_authenticated',
  )
  const type = { 'content-type': 'application/offset+octet-stream' }
  const headers = {
    ...tus,
    ...type,
    'upload-length': '1000000',
    'content-length': '1000000',
    'upload-metadata': metadataOf(figure),
  }
  await using wire = await dial()
  const { authorization } = stranger.api
  await wire.write(head({ method: 'POST', path: `/api/${LATEST}/upload/`, authorization, headers }))
  assert.equal((await wire.answer())?.status, 403)
})

test('sends 404 for uploads of other users', async () => {
  const url = await newUpload(alice.api, figure, 10)
  const unknown = url.replace(/[0-9a-f-]{36}/, crypto.randomUUID())
  const answers = async (path: string) => {
    const patched = await appendToUpload<Refusal>(stranger.api, path, 0, Buffer.alloc(10), {
      status: 404,
    })
    const removed = await stranger.api.request<Refusal>('DELETE', path, {
      headers: tus,
      status: 404,
    })
    const asked = await stranger.api.request('HEAD', path, { headers: tus, status: 404 })
    return [patched.body, removed.body, [...asked.headers.keys()].sort()]
  }
  assert.deepEqual(await answers(url), await answers(unknown))
  await appendToUpload(alice.api, url, 0, Buffer.alloc(10))
  const theirs = await newPlace(stranger.api)
  const use = (path: string) =>
    stranger.api.post<Refusal>(
      'revision/',
      { figure: theirs.figure.api_id, metadata: {}, data: [uploadedData(path)] },
      400,
    )
  assert.deepEqual((await use(url)).body, (await use(unknown)).body)
  for (const path of ['upload/x/', `upload/${'x'.repeat(90)}/`, 'upload/%00/']) {
    await alice.api.request('HEAD', path, { headers: tus, status: 404 })
  }
})

test('an API key for a workspace can access its uploads, until the key is deleted', async () => {
  const { workspace } = place
  const key = await newApiKey(alice.api, { workspace: workspace.api_id })
  const elsewhere = (await newWorkspace(alice.api)).api_id
  const other = callerWith(await newApiKey(alice.api, { workspace: elsewhere }))
  await beginUpload(other, figure, 10, { status: 403 })
  const url = await newUpload(alice.api, figure, 10)
  await other.request('HEAD', url, { headers: tus, status: 404 })
  await appendToUpload(other, url, 0, Buffer.alloc(10), { status: 404 })
  const me = callerWith(key)
  await appendToUpload(me, url, 0, Buffer.alloc(5))
  await alice.api.delete(`api_key/${key.api_id}/`)
  const refusal = await appendToUpload<Refusal>(me, url, 5, Buffer.alloc(5), { status: 401 })
  assert.ok(refusal.body.code)
  assert.equal(refusal.headers.get('tus-resumable'), '1.0.0')
  assert.equal(await offsetOf(alice.api, url), 5)
})

test('enforces the storage limit when an upload begins and when it is used', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  const terms = {
    name: `Plan ${crypto.randomUUID()}`,
    is_self_service: true,
    max_storage_bytes: 1000,
  }
  const plan = (await staff.post<{ api_id: string }>('plan/', terms)).body.api_id
  const { workspace, figure: small } = await newPlace(alice.api)
  await alice.api.post(`workspace/${workspace.api_id}/subscription/`, { plan }, 200)
  const target = { figure: small.api_id }
  await storageLimitsSeen()
  const { body } = await beginUpload<Refusal>(alice.api, target, 1001, { status: 403 })
  assert.equal(body.error, 'max_storage_bytes')
  const url = await upload(alice.figbase, target, randomBytes(600))
  await beginUpload(alice.api, target, 401, { status: 403 })
  const open = await newUpload(alice.api, target, undefined)
  await appendToUpload(alice.api, open, 0, randomBytes(400))
  await appendToUpload(alice.api, open, 400, randomBytes(1), { status: 403 })
  await staff.patch(`plan/${plan}/`, { max_storage_bytes: 500 })
  const revision = { figure: small.api_id, metadata: {}, data: [uploadedData(url)] }
  const refusal = await alice.api.post<Refusal>('revision/', revision, 403)
  assert.equal(refusal.body.error, 'max_storage_bytes')
  await staff.patch(`plan/${plan}/`, { max_storage_bytes: 700 })
  await alice.api.post('revision/', revision, 201)
})

test('an upload can be used once, and remains after a failed creation', async () => {
  const bytes = randomBytes(50_000)
  const url = await upload(alice.figbase, figure, bytes)
  const revision = { figure: place.figure.api_id, metadata: {}, data: [uploadedData(url)] }
  await alice.api.post('revision/', { ...revision, short_id: 'nobodys00' }, 400)
  await alice.api.post(
    'revision/',
    { ...revision, data: [uploadedData(url), uploadedData(url)] },
    400,
  )
  await alice.api.post(
    'revision/',
    { ...revision, data: [uploadedData(url), { type: 'nothing' }] },
    400,
  )
  const both = { ...uploadedData(url), data: 'AAAA' }
  const refusal = await alice.api.post<Refusal>('revision/', { ...revision, data: [both] }, 400)
  assert.match(messageOf(refusal), /data\[0\]\.upload/)
  for (const upload of [7, {}, '', 'x', '../..', `${url}x`]) {
    const data = [{ ...uploadedData(''), upload }]
    assert.match(
      messageOf(await alice.api.post<Refusal>('revision/', { ...revision, data }, 400)),
      /data\[0\]\.upload/,
    )
  }
  const made = await Promise.all(
    [1, 2, 3].map(() =>
      alice.api.post<Revision>('revision/', revision, either('one wins', 201, 400)),
    ),
  )
  const [created] = made.filter(({ status }) => status === 201)
  assert.equal(made.filter(({ status }) => status === 201).length, 1)
  assert.ok(created && (await stored(created.body)).equals(bytes))
  await alice.api.post('revision/', revision, 400)
})

test('accepts uploads in updates, in append_data/, and for assets', async () => {
  const bytes = [1, 2, 3, 4].map(() => randomBytes(1000))
  const sent = async (index: number, target: UploadTarget) =>
    uploadedData(await upload(alice.figbase, target, at(bytes, index)))
  const revision = await newRevision(alice.api, place.figure.api_id)
  const target = { revision: revision.api_id }
  const path = `revision/${revision.api_id}/`
  const put = { metadata: {}, data: [await sent(0, target)] }
  const { body: replaced } = await alice.api.put<Revision>(path, put)
  assert.ok((await stored(replaced)).equals(at(bytes, 0)))
  const more = { data: [await sent(1, target)] }
  const { body: longer } = await alice.api.post<Revision>(`${path}append_data/`, more, 200)
  assert.ok((await stored(longer, 1)).equals(at(bytes, 1)))

  const asset = (await newAsset(alice.api, place.workspace.api_id)).api_id
  const ofAsset = await newAssetRevision(alice.api, asset, [await sent(2, { asset })])
  assert.ok((await stored(ofAsset)).equals(at(bytes, 2)))
  const { body: changed } = await alice.api.patch<Revision>(`asset_revision/${ofAsset.api_id}/`, {
    data: [await sent(3, { asset_revision: ofAsset.api_id })],
  })
  assert.ok((await stored(changed)).equals(at(bytes, 3)))
})

test('rejects an upload in another workspace', async () => {
  const { figure: elsewhere } = await newPlace(alice.api)
  const url = await upload(alice.figbase, { figure: elsewhere.api_id }, randomBytes(10))
  const revision = { figure: place.figure.api_id, metadata: {}, data: [uploadedData(url)] }
  const refusal = await alice.api.post<Refusal>('revision/', revision, 400)
  assert.match(messageOf(refusal), /another workspace/)
  await newRevision(alice.api, elsewhere.api_id, [uploadedData(url)])
})

test('a direct upload requires a suitable store and permission', async () => {
  const body = { ...figure, size_bytes: 10 }
  await client().post('upload/direct/', body, 401)
  await stranger.api.post('upload/direct/', body, 403)
  await alice.api.post('upload/direct/', { size_bytes: 10 }, 400)
  await alice.api.post('upload/direct/', { ...figure }, 400)
  await alice.api.post('upload/direct/', { ...figure, size_bytes: -1 }, 400)
  await alice.api.post('upload/direct/', body, deployment.s3 ? 201 : 501)
})
