import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  at,
  code,
  file,
  image,
  newAsset,
  newAssetRevision,
  newPlace,
  type Place,
  publishAsset,
} from '../src/publish.js'
import type { Asset, AssetRevision, DataObject, Thumbnail } from '../src/resources.js'
import { assertShape, SHAPES } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
})

const rows = (count: number) => Buffer.from('depth,count\n'.repeat(count))

for (const version of VERSIONS) {
  test(`${version}: creates, reads, lists and deletes an asset revision`, async () => {
    const me = alice.at(version)
    const asset = await newAsset(me, place.workspace.api_id)
    const client_id = crypto.randomUUID()
    const more = { client_id, metadata: { z: 1, a: [2, { y: null }] } }
    const created = await newAssetRevision(me, asset.api_id, [file(rows(3), 'counts.csv')], more)
    assertShape(created, SHAPES.assetRevision, 'created')
    assert.equal(created.api_id, client_id)
    assert.equal(created.entity_type, 'asset_revision')
    assert.deepEqual([created.asset, created.revision_index], [asset.api_id, 0])
    assert.deepEqual(created.metadata, more.metadata)
    assert.equal(created.size_bytes, rows(3).length)
    assertShape(at(created.data, 0), SHAPES.dataNested, 'created.data[0]')
    await me.post('asset_revision/', { asset: asset.api_id, client_id }, 409)

    const second = await publishAsset(me, asset.api_id, [])
    assert.equal(second.revision_index, 1)
    const path = `asset_revision/${created.api_id}/`
    const { body: read } = await me.get<AssetRevision>(path)
    assertShape(read, SHAPES.assetRevision, 'read')
    assert.equal((await me.get(path)).text, (await me.get(path)).text)
    const { body: data } = await me.get<DataObject>(`data/${at(read.data, 0).api_id}/`)
    assert.equal(data.data, rows(3).toString('base64'))
    assert.equal(data.name, 'counts.csv')

    const { body: parent } = await me.get<Asset>(`asset/${asset.api_id}/`)
    assert.deepEqual(
      parent.revisions?.map(({ api_id }) => api_id),
      [created.api_id, second.api_id],
    )
    assertShape(at(parent.revisions, 0), SHAPES.assetRevisionNested, 'asset.revisions[0]')
    assert.equal(parent.size_bytes, rows(3).length)
    assert.equal(parent.child_updated_on, second.created_on)
    const { body: shallow } = await me.get<AssetRevision>(`${path}?shallow=true`)
    assert.deepEqual(shallow, at(parent.revisions, 0))
    const { body: all } = await me.get<AssetRevision[]>('asset_revision/')
    assert.ok(all.some(({ api_id }) => api_id === created.api_id))

    await me.delete(path)
    await me.get(path, 404)
    await me.get(`data/${at(read.data, 0).api_id}/`, 404)
    const { body: after } = await me.get<Asset>(`asset/${asset.api_id}/`)
    assert.deepEqual([after.size_bytes, after.revisions?.length], [0, 1])
  })
}

test('the data hash is that of a single object, or the hash of several hashes', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const hashOf = async (...contents: Buffer[]) => {
    const sent = contents.map((bytes) => file(bytes))
    return (await publishAsset(alice.api, asset.api_id, sent)).data_hash
  }
  const [one, other] = [rows(1), rows(2)]
  assert.equal(await hashOf(), null)
  assert.equal(await hashOf(one), await blake3(one))
  assert.equal(await hashOf(Buffer.alloc(0)), await blake3(Buffer.alloc(0)))
  assert.equal(await hashOf(one, other), await blake3((await blake3(one)) + (await blake3(other))))
})

test('an asset has the thumbnail of its newest revision', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const path = `asset/${asset.api_id}/`
  const thumbnail = async () => (await alice.api.get<Thumbnail>(`${path}thumbnail/`)).body.thumbnail
  assert.equal(await thumbnail(), null)
  const revision = await publishAsset(alice.api, asset.api_id, [image(png(30, 20))])
  assert.ok(await thumbnail())
  assert.ok((await alice.api.get<{ thumbnail: string }>(path)).body.thumbnail)
  const own = `asset_revision/${revision.api_id}/thumbnail/16`
  assert.ok((await alice.api.get<Thumbnail>(own)).body.thumbnail)
  await publishAsset(alice.api, asset.api_id, [code(Buffer.from('x'))])
  assert.ok(await thumbnail())
})

test('rejects an asset revision with a wrong parent, and from users without permission', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const send = (body: object, status: number, who = alice) =>
    who.api.post<{ error: string; detail?: string }>('asset_revision/', body, status)
  const missing = await send({ data: [] }, 400)
  assert.match(missing.text, /asset/)
  assert.match((await send({ asset: place.figure.api_id, data: [] }, 400)).text, /asset/)
  assert.match((await send({ asset: crypto.randomUUID(), data: [] }, 400)).text, /asset/)
  await send({ asset: asset.api_id, data: 'odd' }, 403, bob)
  const { api_id } = await newAssetRevision(alice.api, asset.api_id)
  await alice.api.get(`revision/${api_id}/`, 404)
  await bob.api.get(`asset_revision/${api_id}/`, 403)
  await alice.api.post(
    `asset_revision/${api_id}/share/user/`,
    {
      username: bob.username,
      sharing_enabled: true,
    },
    200,
  )
  const { text } = await alice.api.get(`asset_revision/${api_id}/`)
  assert.equal((await bob.api.get(`asset_revision/${api_id}/`)).text, text)
})

test('an asset revision has a log, and appears in that of its workspace', async () => {
  const { workspace } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  const { api_id } = await newAssetRevision(alice.api, asset.api_id, [file(rows(1))])
  type Entry = { target_id: string; target_type: string; action: string }
  const { body } = await alice.api.get<{ items: Entry[] }>(
    `workspace/${workspace.api_id}/log/?deep=true`,
  )
  const entry = body.items.find(({ target_id }) => target_id === api_id)
  assert.deepEqual([entry?.target_type, entry?.action], ['asset_revision', 'create'])
  const { body: children } = await alice.api.get<{ entity_type: string }[]>(
    `asset/${asset.api_id}/children/`,
  )
  assert.deepEqual(
    children.map(({ entity_type }) => entity_type),
    ['asset_revision', 'external_data'],
  )
})
