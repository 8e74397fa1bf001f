import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { png, svg } from '../src/images.js'
import { at, base64, file, image, newAsset, newPlace, type Place, publish } from '../src/publish.js'
import type { DataObject, DataToSend, Revision } from '../src/resources.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'
import { dial, exchange, head } from '../src/wire.js'

let alice: TestUser
let place: Place
const content = randomBytes(1_000_000)
let whole: DataObject
let path: string

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  whole = await stored(file(content, 'raw.bin'))
  path = `data/${whole.api_id}/?dl=1`
})

async function stored(data: DataToSend) {
  return at((await publish(alice.api, place.figure.api_id, [data])).data, 0)
}

const authorization = () => alice.api.authorization ?? ''

/** Uses fetch: the client of the other tests treats any JSON as a response of the API. */
async function download(of: string, headers: Record<string, string> = {}) {
  const url = new URL(`/api/${LATEST}/${of}`, deployment.origin)
  const answer = await fetch(url, { headers: { authorization: authorization(), ...headers } })
  return { ...answerOf(answer), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const answerOf = ({ status, headers }: Response) => ({
  status,
  of: (name: string) => headers.get(name),
})

test('sends the raw bytes as an attachment, with headers that prevent execution', async () => {
  const answer = await download(path)
  assert.equal(answer.status, 200)
  assert.ok(answer.bytes.equals(content))
  assert.equal(answer.of('content-length'), String(content.length))
  assert.equal(answer.of('etag'), `"${whole.hash}"`)
  assert.equal(answer.of('accept-ranges'), 'bytes')
  assert.equal(answer.of('content-disposition'), 'attachment; filename=raw.bin')
  assert.equal(answer.of('content-type'), 'application/octet-stream')
  assert.equal(answer.of('content-encoding'), null)
  assert.equal(answer.of('x-content-type-options'), 'nosniff')
  assert.match(answer.of('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
  assert.match(answer.of('vary') ?? '', /accept/i)
})

test('also sends raw bytes for an Accept without JSON', async () => {
  const { api_id } = whole
  for (const accept of ['application/octet-stream', 'image/*', 'text/html, image/png;q=0.5']) {
    const answer = await download(`data/${api_id}/`, { accept })
    assert.ok(answer.bytes.equals(content), accept)
  }
  for (const accept of ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json']) {
    const headers = { accept }
    const { body } = await alice.api.request<DataObject>('GET', `data/${api_id}/`, { headers })
    assert.equal(body.data, base64(content), accept)
  }
})

test('sends single ranges, which together are the whole content', async () => {
  const parts: Buffer[] = []
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 0],
    ['bytes=1-499999', 1, 499_999],
    ['bytes=500000-', 500_000, 999_999],
  ] as const) {
    const answer = await download(path, { range })
    assert.equal(answer.status, 206)
    assert.equal(answer.of('content-range'), `bytes ${from}-${to}/1000000`)
    assert.equal(answer.of('content-length'), String(to - from + 1))
    assert.equal(answer.of('etag'), `"${whole.hash}"`)
    parts.push(answer.bytes)
  }
  assert.ok(Buffer.concat(parts).equals(content))
  const end = await download(path, { range: 'bytes=-1000' })
  assert.ok(end.bytes.equals(content.subarray(-1000)))
  const more = await download(path, { range: 'bytes=-9999999' })
  assert.equal(more.of('content-range'), 'bytes 0-999999/1000000')
  const wide = await download(path, { range: 'bytes=999990-99999999' })
  assert.ok(wide.bytes.equals(content.subarray(999_990)))
})

test('sends 416 for an unsatisfiable range, and everything for multiple ranges', async () => {
  for (const range of ['bytes=1000000-', 'bytes=-0', 'bytes=2000000-3000000']) {
    const answer = await download(path, { range })
    assert.equal(answer.status, 416, range)
    assert.equal(answer.of('content-range'), 'bytes */1000000')
    assert.equal(JSON.parse(answer.bytes.toString()).error, 'range_not_satisfiable')
  }
  for (const range of ['bytes=5-1', 'bytes=0-1,4-5', 'lines=1-2', 'nonsense']) {
    const answer = await download(path, { range })
    assert.equal(answer.status, 200, range)
    assert.ok(answer.bytes.equals(content))
  }
})

test('resumes a download only if the content is the same (If-Range)', async () => {
  const range = 'bytes=999000-'
  const same = await download(path, { range, 'if-range': `"${whole.hash}"` })
  assert.equal(same.status, 206)
  assert.ok(same.bytes.equals(content.subarray(999_000)))
  for (const other of ['"other"', `W/"${whole.hash}"`, new Date().toUTCString()]) {
    const answer = await download(path, { range, 'if-range': other })
    assert.equal(answer.status, 200, other)
    assert.ok(answer.bytes.equals(content))
  }
})

test('sends 304 if the client has the content', async () => {
  for (const known of [`"${whole.hash}"`, `W/"${whole.hash}", "x"`, '*']) {
    const answer = await download(path, { 'if-none-match': known, range: 'bytes=0-1' })
    assert.equal(answer.status, 304, known)
    assert.equal(answer.bytes.length, 0)
    assert.equal(answer.of('etag'), `"${whole.hash}"`)
  }
  assert.equal((await download(path, { 'if-none-match': '"x"' })).status, 200)
})

test('HEAD sends the headers of GET without a body', async () => {
  const answer = await alice.api.request('HEAD', path, { headers: { range: 'bytes=0-1' } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-length'), '1000000')
  assert.equal(answer.headers.get('etag'), `"${whole.hash}"`)
})

test('downloads an empty object', async () => {
  const empty = await stored(file(Buffer.alloc(0), 'empty.bin'))
  const answer = await download(`data/${empty.api_id}/?dl=1`)
  assert.equal(answer.status, 200)
  assert.equal(answer.of('content-length'), '0')
  const part = await download(`data/${empty.api_id}/?dl=1`, { range: 'bytes=0-' })
  assert.equal(part.status, 416)
})

test('downloaded images and HTML pages cannot run scripts', async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const [data, type, name] of [
    [image(png(3, 3)), 'image/png', 'figure.png'],
    [image(svg(3, 3), 'svg'), 'application/octet-stream', 'figure.svg'],
    [image(Buffer.from(script), 'html'), 'application/octet-stream', 'figure.html'],
    [file(Buffer.from(script), 'x.html'), 'application/octet-stream', 'x.html'],
    [text({ format: 'html' }, script), 'text/plain; charset=utf-8', 'notes.html'],
    [text({ format: 'json' }, '{}'), 'application/json', 'notes.json'],
  ] as const) {
    const answer = await download(`data/${(await stored(data)).api_id}/?dl=1`)
    assert.equal(answer.of('content-type'), type)
    assert.equal(answer.of('content-disposition'), `attachment; filename=${name}`)
    assert.equal(base64(answer.bytes), data.data)
  }
})

function text(metadata: object, content: string): DataToSend {
  return { name: 'notes', type: 'text', metadata, data: base64(Buffer.from(content)) }
}

test('hostile names cannot inject headers or paths', async () => {
  for (const [name, expected] of [
    ['../../x.sh', 'attachment; filename=_.._x.sh'],
    ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
    ['a\r\nset-cookie: x=1', 'attachment; filename="a__set-cookie_ x=1"'],
    ['größe.csv', `attachment; filename="gr__e.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv`],
  ] as const) {
    const { api_id } = await stored(file(Buffer.from('x'), name))
    const answer = await download(`data/${api_id}/?dl=1`)
    const received = (answer.of('content-disposition') ?? '').replace('"gr__e.csv"', 'gr__e.csv')
    assert.equal(received, expected.replace('"gr__e.csv"', 'gr__e.csv'))
    assert.equal(answer.of('set-cookie'), null)
  }
})

test('reveals neither bytes nor size without permission', async () => {
  const mallory = await signUp()
  const range = { range: 'bytes=0-9' }
  const anonymous = client(LATEST)
  const conditions: Record<string, string>[] = [{}, range, { 'if-none-match': '*' }]
  for (const headers of conditions) {
    const denied = await mallory.api.request<Refusal>('GET', path, { headers, status: 403 })
    assert.equal(denied.headers.get('etag'), null)
    await anonymous.request('GET', path, { headers, status: 401 })
    const nowhere = `data/${crypto.randomUUID()}/?dl=1`
    await anonymous.request('GET', nowhere, { headers, status: 401 })
    await mallory.api.request('GET', nowhere, { headers, status: 404 })
  }
  await alice.api.post(`figure/${place.figure.api_id}/share/link/`, { enabled: true }, 200)
  const url = new URL(`/api/${LATEST}/${path}`, deployment.origin)
  const shared = await fetch(url, { headers: range })
  assert.equal(shared.status, 206)
  assert.ok(Buffer.from(await shared.arrayBuffer()).equals(content.subarray(0, 10)))
  await alice.api.post(`figure/${place.figure.api_id}/share/link/`, { enabled: false }, 200)
})

test('a data object has the sub-actions of every core object, partly those of its revision', async () => {
  const { data: _, ...shallow } = (
    await alice.api.get<DataObject>(`data/${whole.api_id}/?shallow=true`)
  ).body
  const { data, ...full } = (await alice.api.get<DataObject>(`data/${whole.api_id}/`)).body
  assert.deepEqual(shallow, full)
  assert.deepEqual({ ...full, data: null }, whole, 'as the revision lists it')
  assert.equal(data, base64(content))
  assert.equal(full.created_by, alice.username)
  const { body: revisions } = await alice.api.get<Revision[]>('revision/')
  assert.ok(revisions.some(({ created_on }) => created_on === full.created_on))
  assert.deepEqual(
    [full.updated_by, full.updated_on, full.last_activity_on],
    [null, null, full.created_on],
  )
  const old = await alice.at('v1.2').get<object>(`data/${whole.api_id}/?shallow=true`)
  assert.ok(!('created_on_behalf' in old.body) && 'created_on_behalf' in full)
})

test('downloads the data of assets like that of figures', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const body = { asset: asset.api_id, data: [file(content, 'samples.bin')] }
  const created = (await alice.api.post<Revision>('asset_revision/', body)).body
  const { api_id } = at(created.data, 0)
  const answer = await download(`data/${api_id}/?dl=1`, { range: 'bytes=10-19' })
  assert.equal(answer.status, 206)
  assert.ok(answer.bytes.equals(content.subarray(10, 20)))
  assert.equal(
    (await alice.api.get<{ hash: string }>(`data/${api_id}/storage/`)).body.hash,
    whole.hash,
  )
})

test('sends 405 for writes to data, before any other check', async () => {
  const id = whole.api_id
  const nowhere = crypto.randomUUID()
  const bodies = [
    { json: {} },
    { raw: '{"broken' },
    { raw: 'x', headers: { 'content-type': 'x/y' } },
  ]
  for (const me of [alice.api, client(LATEST), client(LATEST, 'Bearer nonsense')]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const where of ['data/', `data/${id}/`, `data/${nowhere}/`, 'data/nonsense/']) {
        for (const body of bodies) await me.request(method, where, { ...body, status: 405 })
      }
      for (const action of ['storage', 'size', 'children', 'thumbnail', 'log', 'share/link']) {
        await me.request(method, `data/${id}/${action}/`, { json: {}, status: 405 })
      }
    }
  }
  assert.equal((await alice.api.get<DataObject>(`data/${id}/`)).body.hash, whole.hash)
})

test('shows the storage of data only to managers of the workspace', async () => {
  const { body } = await alice.api.get(`data/${whole.api_id}/storage/`)
  assert.deepEqual(body, { vendor: 'GoFigr.io', hash: whole.hash, path: null })
  const viewer = await signUp()
  const member = { username: viewer.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${place.workspace.api_id}/members/add/`, member, 200)
  await viewer.api.get(`data/${whole.api_id}/`)
  await viewer.api.get(`data/${whole.api_id}/storage/`, 403)
})

test('shows the storage path only to staff who manage the workspace', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  await staff.get(`data/${whole.api_id}/storage/`, 403)
  const member = { username: 'admin', membership_type: 'admin' }
  await alice.api.post(`workspace/${place.workspace.api_id}/members/add/`, member, 200)
  const { body } = await staff.get<{ path: string }>(`data/${whole.api_id}/storage/`)
  assert.match(body.path, /^[\w./-]+$/)
})

test('a client that disconnects during a download does not affect others', async () => {
  const large = await stored(file(randomBytes(8 * 1024 * 1024), 'large.bin'))
  const where = `/api/${LATEST}/data/${large.api_id}/?dl=1`
  for (let i = 0; i < 4; i++) {
    const wire = await dial()
    await wire.write(head({ method: 'GET', path: where, authorization: authorization() }))
    await wire.begun()
    wire.destroy()
  }
  const range = { range: 'bytes=8388600-' }
  const answer = await exchange({
    method: 'GET',
    path: where,
    authorization: authorization(),
    headers: range,
  })
  assert.equal(answer?.status, 206)
  assert.equal(answer.bytes.length, 8)
})
