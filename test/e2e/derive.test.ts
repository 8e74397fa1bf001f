import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  at,
  code,
  file,
  image,
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { AssetRevision, Container, Figure, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place
let source: Revision

const data = [image(png(20, 20)), code(Buffer.from('x = 1')), file(Buffer.from('12345678'))]
const metadata = { seed: 42, text: 'ü' }

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  const more = { metadata, is_clean_room: true }
  const { api_id } = await newRevision(alice.api, place.figure.api_id, data, more)
  source = await processed(alice.api, api_id)
})

const derive = async (me: Client, body: object = {}, id = source.api_id) =>
  (await me.post<Revision>(`revision/${id}/derive/`, body)).body

const comparable = (revision: Revision) =>
  (revision.data ?? []).map(({ name, type, metadata, size_bytes, hash, is_clean_room }) => ({
    name,
    type,
    metadata,
    size_bytes,
    hash,
    is_clean_room,
  }))

test('a derived revision has the data, metadata and flags of its source', async () => {
  const made = await derive(alice.api)
  assert.notEqual(made.api_id, source.api_id)
  assert.equal(made.figure, source.figure)
  assert.ok(made.revision_index > source.revision_index)
  assert.deepEqual(made.metadata, metadata)
  assert.equal(made.is_clean_room, true)
  assert.equal(made.size_bytes, source.size_bytes)
  assert.match(made.short_id ?? '', /^[0-9a-zA-Z]{9,}$/)
  assert.deepEqual(comparable(made), comparable(source))
  const ids = new Set([...(made.data ?? []), ...(source.data ?? [])].map(({ api_id }) => api_id))
  assert.equal(ids.size, 6)
  const done = await processed(alice.api, made.api_id)
  assert.equal(done.image_hash, source.image_hash)
  const { body: thumbnail } = await alice.api.get<{ thumbnail: string | null }>(
    `revision/${made.api_id}/thumbnail/`,
  )
  assert.ok(thumbnail.thumbnail)
  for (const one of ['status/', 'size/', '']) {
    await alice.api.get(`revision/${made.short_id}/${one}`)
  }
  assert.equal(done.data?.length, data.length)
  for (const [index, { api_id }] of (done.data ?? []).entries()) {
    const { body } = await alice.api.get<{ data: string }>(`data/${api_id}/`)
    assert.equal(body.data, data[index]?.data)
  }
})

test('copies the links that the caller may view', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const used = await newAssetRevision(alice.api, asset.api_id, [file(Buffer.from('used'))])
  const assets = [{ asset_revision: used.api_id, use_type: 'indirect' }]
  const linked = await newRevision(alice.api, place.figure.api_id, [], { assets })
  const made = await derive(alice.api, {}, linked.api_id)
  assert.deepEqual(made.assets, [{ figure_revision: made.api_id, ...assets[0] }])
  const { body: both } = await alice.api.get<AssetRevision>(`asset_revision/${used.api_id}/`)
  assert.deepEqual(
    both.figure_revisions?.map((link) => (link as { figure_revision: string }).figure_revision),
    [linked.api_id, made.api_id],
  )
  await alice.api.post(
    `revision/${linked.api_id}/share/user/`,
    { username: bob.username, sharing_enabled: true },
    200,
  )
  const otherPlace = await newPlace(bob.api)
  const figure = otherPlace.figure.api_id
  assert.deepEqual((await derive(bob.api, { figure }, linked.api_id)).assets, [])
})

test('derived data remains after the source is deleted', async () => {
  const { api_id } = await newRevision(alice.api, place.figure.api_id, [file(Buffer.from('lasts'))])
  const made = await derive(alice.api, {}, api_id)
  await alice.api.delete(`revision/${api_id}/`)
  const { body } = await alice.api.get<Revision>(`revision/${made.api_id}/`)
  assert.deepEqual(comparable(body), comparable(made))
  const { api_id: dataId } = at(body.data, 0)
  const { body: object } = await alice.api.get<{ data: string }>(`data/${dataId}/`)
  assert.equal(Buffer.from(object.data, 'base64').toString(), 'lasts')
  await alice.api.post(`revision/${api_id}/derive/`, {}, 404)
})

test('updates the sizes and times of all ancestors at once', async () => {
  const other = await newPlace(alice.api)
  const made = await derive(alice.api, { figure: other.figure.api_id })
  assert.equal(made.figure, other.figure.api_id)
  assert.equal(made.revision_index, 0)
  for (const path of [
    `figure/${other.figure.api_id}`,
    `analysis/${other.analysis.api_id}`,
    `workspace/${other.workspace.api_id}`,
  ]) {
    const { body } = await alice.api.get<Container>(`${path}/`)
    assert.equal(body.size_bytes, source.size_bytes, path)
    assert.equal(body.child_updated_on, made.created_on, path)
  }
})

test('uses metadata (unchanged), client_id and short_id from the body', async () => {
  const { body } = await alice.api.post<{ prefix: string }>('short_id_prefix/reserve/', {})
  const client_id = crypto.randomUUID()
  const short_id = `${body.prefix}0`
  const raw = `{"client_id": "${client_id}", "short_id": "${short_id}", "metadata": {"b": 12345678901234567890, "a": 1.50}}`
  const path = `revision/${source.api_id}/derive/`
  const sent = await alice.api.request<Revision>('POST', path, { raw, status: 201 })
  assert.equal(sent.body.api_id, client_id)
  assert.equal(sent.body.short_id, short_id)
  const read = await alice.api.get(`revision/${short_id}/`)
  for (const { text } of [sent, read]) {
    assert.match(text, /"metadata":\{"b": 12345678901234567890, "a": 1.50\}/)
  }
  await alice.api.post(path, { client_id }, 409)
  await alice.api.post(path, { short_id }, 409)
})

test('accepts an empty and a missing body, and ignores unknown members', async () => {
  const path = `revision/${source.api_id}/derive/`
  await alice.api.request('POST', path, { status: 201 })
  const nulls = { figure: null, metadata: null, client_id: null, short_id: null }
  const made = await derive(alice.api, { ...nulls, api_id: source.api_id, unknown: [1], data: [] })
  assert.deepEqual(made.metadata, metadata)
})

for (const version of VERSIONS) {
  test(`${version}: derives a revision`, async () => {
    const made = await derive(alice.at(version), { figure: place.figure.api_id })
    assert.equal(made.size_bytes, source.size_bytes)
  })
}

test('rejects invalid members by name, and leaves nothing', async () => {
  // No other revision is processed in it.
  const own = await newPlace(alice.api)
  const figure = own.figure.api_id
  const { api_id } = await publish(alice.api, figure, [file(Buffer.from('alone'))])
  const { text: before } = await alice.api.get(`figure/${figure}/`)
  const path = `revision/${api_id}/derive/`
  for (const [member, value] of [
    ['figure', crypto.randomUUID()],
    ['figure', 'no-id'],
    ['figure', own.analysis.api_id],
    ['figure', 7],
    ['client_id', 'no-id'],
    ['short_id', '00000000a'],
    ['data', [file(Buffer.from('more'))]],
  ] as const) {
    const refusal = await alice.api.post<Refusal>(path, { [member]: value }, 400)
    assert.match(messageOf(refusal), new RegExp(member))
  }
  await alice.api.request('POST', path, { raw: '{"metadata": {', status: 400 })
  await alice.api.post('revision/no-id/derive/', {}, 404)
  await alice.api.post(`revision/${crypto.randomUUID()}/derive/`, {}, 404)
  assert.equal((await alice.api.get(`figure/${figure}/`)).text, before)
})

test('rejects users without access with any body; viewers can derive into their own figure', async () => {
  const path = `revision/${source.api_id}/derive/`
  const otherPlace = await newPlace(bob.api)
  const own = { figure: otherPlace.figure.api_id }
  for (const body of [{}, own, { figure: 7 }, { client_id: 'x' }]) {
    await bob.api.post(path, body, 403)
    await client().post(path, body, 401)
  }
  await bob.api.request('POST', path, { raw: '{', status: 403 })
  await alice.api.post(
    `revision/${source.api_id}/share/user/`,
    { username: bob.username, sharing_enabled: true },
    200,
  )
  await bob.api.post(path, {}, 403)
  const made = await derive(bob.api, own)
  assert.equal(made.created_by, bob.username)
  assert.deepEqual(comparable(made), comparable(source))
  await alice.api.get(`revision/${made.api_id}/`, 403)
  const { body: figure } = await bob.api.get<Figure>(`figure/${otherPlace.figure.api_id}/`)
  assert.equal(figure.size_bytes, source.size_bytes)
})

test('logs one entry, and none for a silent request', async () => {
  const analysis = await newAnalysis(alice.api, place.workspace.api_id)
  const figure = (await newFigure(alice.api, analysis.api_id)).api_id
  const path = `revision/${source.api_id}/derive/`
  await alice.api.post(path, { figure })
  await alice.api.post(`${path}?silent=true`, { figure })
  const { body: log } = await alice.api.get<unknown[]>(`figure/${figure}/log/`)
  assert.equal(log.length, 2, 'the figure, and one revision')
})
