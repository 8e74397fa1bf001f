import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  at,
  base64,
  file,
  newAsset,
  newAssetRevision,
  newPlace,
  newRevision,
  type Place,
  processed,
} from '../src/publish.js'
import type { DataObject, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
})

const bytesOf = async (id: string) => {
  const { body } = await alice.api.get<DataObject>(`data/${id}/`)
  return Buffer.from(body.data ?? '', 'base64').toString()
}
const publish = (text = 'old', more: object = {}) =>
  newRevision(alice.api, place.figure.api_id, [file(Buffer.from(text))], { ...more })
const pathOf = ({ api_id }: Revision) => `revision/${api_id}/`

for (const method of ['PUT', 'PATCH']) {
  test(`${method} accepts members in any order, and ignores unknown ones`, async () => {
    const created = await publish()
    const data = [{ ...file(Buffer.from('new')), api_id: at(created.data, 0).api_id, hash: 'x' }]
    const json = {
      data,
      size_bytes: 99,
      is_processing: false,
      revision_index: 7,
      created_by: 'nobody',
      short_id: 'mine',
      client_id: crypto.randomUUID(),
      metadata: 'text',
      figure: place.figure.api_id,
      _shallow: true,
    }
    const { body } = await alice.api.request<Revision>(method, pathOf(created), {
      json,
      status: 200,
    })
    assert.equal(body.metadata, 'text')
    assert.equal(body.is_processing, true)
    assert.deepEqual([body.api_id, body.revision_index], [created.api_id, created.revision_index])
    assert.equal(body.short_id, created.short_id)
    assert.equal(body.size_bytes, 3)
    assert.equal(body.created_on, created.created_on)
    const done = await processed(alice.api, created.api_id)
    assert.deepEqual(done, { ...body, is_processing: false })
    assert.equal(done.data?.length, 1)
    assert.equal(await bytesOf(at(done.data, 0).api_id), 'new')
  })
}

test('null, missing members and an empty list of data keep their values', async () => {
  const created = await publish('kept', { metadata: { a: 1 }, description: 'A plot' })
  const path = pathOf(created)
  const nothing = { metadata: null, is_clean_room: null, data: [], assets: null, figure: null }
  for (const json of [{}, nothing, { data: null }]) {
    const { body } = await alice.api.put<Revision>(path, json)
    assert.deepEqual(body.metadata, { a: 1 })
    assert.deepEqual(body.data, created.data)
    assert.equal(body.description, 'A plot')
    assert.equal(body.is_processing, false)
  }
  const { body } = await alice.api.put<Revision>(path, { description: null })
  assert.deepEqual([body.description, body.description_author], [null, null])
})

test('keeps a data object that is listed with its id and without bytes', async () => {
  const created = await publish('stays')
  const { api_id } = at(created.data, 0)
  const data = [file(Buffer.from('first')), { api_id, data: null }]
  const { body } = await alice.api.put<Revision>(pathOf(created), { data })
  assert.deepEqual(at(body.data, 1), at(created.data, 0))
  assert.equal(body.size_bytes, 10)
  await alice.api.put(pathOf(created), { data: [{ ...file(Buffer.from('x')), data: null }] }, 400)
  await alice.api.put(pathOf(created), { data: [{ api_id: crypto.randomUUID() }] }, 400)
})

test('appends data at the end, also with ids from a previous response', async () => {
  const created = await publish('one')
  const data = [{ ...file(Buffer.from('two')), data: base64(Buffer.from('two')) }]
  const path = `${pathOf(created)}append_data/`
  const { body } = await alice.api.post<Revision>(path, { data, metadata: 'ignored' }, 200)
  assert.deepEqual(at(body.data, 0), at(created.data, 0))
  assert.equal(await bytesOf(at(body.data, 1).api_id), 'two')
  assert.deepEqual(body.metadata, created.metadata)
  await alice.api.post(path, { data: [{ api_id: at(created.data, 0).api_id }] }, 400)
  assert.equal(body.size_bytes, 6)
})

test('reports a missing permission before an invalid body', async () => {
  const created = await publish()
  const bodies = ['{', '[]', '{"data": 1}', '{"data": [{}]}', '{"metadata": {}, "assets": 7}']
  for (const raw of bodies) {
    for (const [method, path] of [
      ['PUT', pathOf(created)],
      ['POST', `${pathOf(created)}append_data/`],
    ] as const) {
      await bob.api.request(method, path, { raw, status: 403 })
      await bob.api.request(method, path.replace(created.api_id, crypto.randomUUID()), {
        raw,
        status: 404,
      })
      if (method === 'PUT') await alice.api.request(method, path, { raw, status: 400 })
    }
  }
  assert.deepEqual((await alice.api.get(pathOf(created))).body, created)
})

test('rejects moving a revision to another parent', async () => {
  const created = await publish()
  const other = await newPlace(alice.api)
  await alice.api.put(pathOf(created), { figure: other.figure.api_id }, 400)
  await alice.api.put(pathOf(created), { figure: 7 }, 400)
})

test('If-Match must match the current version', async () => {
  const created = await publish()
  const path = pathOf(created)
  const etag = async () => (await alice.api.get(path)).headers.get('etag') ?? ''
  const first = await etag()
  const put = (tag: string, status: number) =>
    alice.api.request('PUT', path, { json: {}, headers: { 'if-match': tag }, status })
  const { headers } = await put(first, 200)
  const second = await etag()
  const own = headers.get('etag') ?? ''
  assert.equal(own, `"${/^"(\d+)/.exec(second)?.[1]}"`)
  assert.notEqual(second, first)
  await put(first, 412)
  await put(`"x", ${own}`, 200)
  const stale = { headers: { 'if-match': second }, status: 412 }
  await alice.api.request('DELETE', path, stale)
  const current = { headers: { 'if-match': await etag() }, status: 204 }
  await alice.api.request('DELETE', path, current)
})

test('links, replaces and unlinks assets, visible on both sides', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const one = (await newAssetRevision(alice.api, asset.api_id)).api_id
  const two = (await newAssetRevision(alice.api, asset.api_id)).api_id
  const created = await publish('x', {
    assets: [{ figure_revision: crypto.randomUUID(), asset_revision: one, use_type: 'indirect' }],
  })
  const figure_revision = created.api_id
  const link = (asset_revision: string, use_type = 'direct') => ({
    figure_revision,
    asset_revision,
    use_type,
  })
  const sides = async () => {
    const own = (await alice.api.get<{ assets: unknown }>(pathOf(created))).body.assets
    const others: unknown[] = []
    for (const id of [one, two]) {
      const { body } = await alice.api.get<{ figure_revisions: unknown }>(`asset_revision/${id}/`)
      others.push(body.figure_revisions)
    }
    return [own, ...others]
  }
  assert.deepEqual(await sides(), [[link(one, 'indirect')], [link(one, 'indirect')], []])
  await alice.api.patch(pathOf(created), { assets: [{ asset_revision: two }, link(one)] })
  assert.deepEqual(await sides(), [[link(two), link(one)], [link(one)], [link(two)]])
  for (const assets of [7, [7], [{}], [{ asset_revision: one, use_type: 'x' }]]) {
    await alice.api.patch(pathOf(created), { assets }, 400)
  }
  const unlink = `asset_revision/${two}/unlink_figure/`
  await alice.api.post(unlink, { figure_revision, anchor: 'elsewhere' }, 400)
  await alice.api.post(unlink, {}, 400)
  await bob.api.post(unlink, { figure_revision: 7 }, 403)
  const { body } = await alice.api.post<{ figure_revisions: unknown }>(
    unlink,
    { figure_revision, anchor: two },
    200,
  )
  assert.deepEqual(body.figure_revisions, [])
  assert.deepEqual(await sides(), [[link(one)], [link(one)], []])
  await alice.api.post(unlink, { figure_revision }, 400)
  const last = `asset_revision/${one}/unlink_figure/`
  await alice.api.post(last, { figure_revision, delete_figure_revision: true }, 200)
  await alice.api.get(pathOf(created), 404)
})
