import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import { png } from '../src/images.js'
import {
  at,
  base64,
  code,
  file,
  image,
  newAsset,
  newAssetRevision,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
  publishAsset,
} from '../src/publish.js'
import type {
  Analysis,
  AssetRevision,
  DataObject,
  Figure,
  LogItem,
  LogPage,
  Revision,
  Thumbnail,
  Workspace,
} from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
})

const bytes = (size: number, seed = 1) => Buffer.alloc(size, seed)
const idsOf = (objects: { api_id: string }[] | null | undefined) =>
  (objects ?? []).map(({ api_id }) => api_id)
const pathOf = ({ api_id }: { api_id: string }) => `revision/${api_id}/`
const sizeOf = async (path: string) =>
  (await alice.api.get<{ size_bytes: number }>(`${path}size/`)).body.size_bytes
const downloaded = async ({ api_id }: DataObject) =>
  Buffer.from((await alice.api.get<DataObject>(`data/${api_id}/`)).body.data ?? '', 'base64')

async function assetRevision(who = alice) {
  const { workspace } = who === alice ? place : await newPlace(who.api)
  const asset = await newAsset(who.api, workspace.api_id)
  return newAssetRevision(who.api, asset.api_id, [file(bytes(3))])
}

test('publishes like a client: first an empty revision, then silently its data and links', async () => {
  const { figure, analysis, workspace } = await newPlace(alice.api)
  const bare = await newRevision(alice.api, figure.api_id)
  assert.deepEqual([bare.size_bytes, bare.data, bare.is_processing], [0, [], false])
  const dataset = await assetRevision()
  const sent = [image(png(40, 30)), code(bytes(100)), file(Buffer.alloc(0))]
  const body = {
    data: sent,
    is_clean_room: true,
    assets: [{ figure_revision: bare.api_id, asset_revision: dataset.api_id, use_type: 'direct' }],
  }
  const { body: patched } = await alice.api.patch<Revision>(`${pathOf(bare)}?silent=true`, body)
  assert.equal(patched.is_processing, true)
  assert.equal(patched.is_clean_room, true)
  assert.deepEqual(patched.assets, body.assets)
  assert.deepEqual(
    patched.data?.map(({ name, type }) => [name, type]),
    sent.map(({ name, type }) => [name, type]),
  )
  const size = png(40, 30).length + 100
  assert.equal(patched.size_bytes, size)
  for (const path of [
    pathOf(bare),
    `figure/${figure.api_id}/`,
    `analysis/${analysis.api_id}/`,
    `workspace/${workspace.api_id}/`,
  ]) {
    assert.equal(await sizeOf(path), size, path)
  }
  const done = await processed(alice.api, bare.api_id)
  assert.ok(done.image_hash)
  assert.equal(done.updated_on, patched.updated_on, 'processing should not change updated_on')
  const { body: shown } = await alice.api.get<Thumbnail>(`${pathOf(bare)}thumbnail/16`)
  assert.ok(shown.thumbnail)
  assert.equal(done.data?.length, sent.length)
  for (const [index, one] of (done.data ?? []).entries()) {
    assert.equal(base64(await downloaded(one)), at(sent, index).data)
  }

  const { body: log } = await alice.api.get<LogItem[]>(`figure/${figure.api_id}/log/`)
  assert.deepEqual(
    log.filter(({ target_id }) => target_id === bare.api_id).map(({ action }) => action),
    ['create'],
    'a silent update should leave no visible entry',
  )
})

for (const method of ['PUT', 'PATCH'] as const) {
  test(`${method} changes the members in the body and keeps the others`, async () => {
    const { figure, analysis, workspace } = await newPlace(alice.api)
    const made = await publish(alice.api, figure.api_id, [code(bytes(10)), file(bytes(20))], {
      metadata: { a: 1 },
    })
    const change = async (body: object) =>
      (await alice.api.request<Revision>(method, pathOf(made), { json: body, status: 200 })).body
    const first = await change({ metadata: 'a plain text' })
    assert.equal(first.metadata, 'a plain text')
    assert.deepEqual(first.data, made.data)
    assert.deepEqual([first.updated_by, first.revision_index], [alice.username, 0])
    assert.deepEqual((await alice.api.get(pathOf(made))).body, first)
    for (const path of [
      `figure/${figure.api_id}/`,
      `analysis/${analysis.api_id}/`,
      `workspace/${workspace.api_id}/`,
    ]) {
      const { body } = await alice.api.get<Workspace | Analysis | Figure>(path)
      assert.equal(body.child_updated_on, first.updated_on, path)
      assert.equal(body.child_updated_by, alice.username)
      assert.equal(body.updated_on, null)
    }

    const cleaned = await change({ is_clean_room: true, data: [] })
    assert.deepEqual(cleaned.data, made.data, 'an empty list should keep the data')
    assert.deepEqual([cleaned.is_clean_room, cleaned.metadata], [true, 'a plain text'])

    const echoed = await change({ ...cleaned, data: [], metadata: [], revision_index: 9 })
    assert.deepEqual([echoed.metadata, echoed.revision_index], [[], 0])
    assert.deepEqual(echoed.data, made.data)

    const described = await change({ description: 'Depth against *counts*' })
    assert.equal(described.description, 'Depth against *counts*')
    assert.equal(described.description_author, alice.username)
    assert.equal(described.description_timestamp, described.updated_on)
    const kept = await change({ metadata: {} })
    assert.equal(kept.description_timestamp, described.description_timestamp)
    const undescribed = await change({ description: null })
    assert.deepEqual(
      [undescribed.description, undescribed.description_author, undescribed.description_timestamp],
      [null, null, null],
    )

    const { body: log } = await alice.api.get<LogPage>(`${pathOf(made)}log/?deep=true`)
    assert.deepEqual(
      log.items.map(({ action }) => action),
      [...Array(6).fill('update'), 'create'],
    )
  })

  test(`${method} with data replaces it at once; the old objects stay readable for some time`, async () => {
    const { figure } = await newPlace(alice.api)
    const [picture, text] = [image(png(50, 20)), code(bytes(1000))]
    const made = await publish(alice.api, figure.api_id, [picture, text])
    const old = made.data ?? []
    const again = [
      { ...text, data: base64(bytes(700, 2)) },
      { ...picture, data: base64(png(20, 50)) },
    ]
    const { body: replaced } = await alice.api.request<Revision>(method, pathOf(made), {
      json: { data: again },
      status: 200,
    })
    assert.equal(replaced.is_processing, true)
    const size = 700 + png(20, 50).length
    assert.equal(replaced.size_bytes, size)
    assert.equal(await sizeOf(`figure/${figure.api_id}/`), size)
    const kept = idsOf(replaced.data)
    assert.ok(
      idsOf(old).every((id) => !kept.includes(id)),
      'new bytes should become new objects',
    )
    const { body: children } = await alice.api.get<{ api_id: string }[]>(`${pathOf(made)}children/`)
    assert.deepEqual(idsOf(children).sort(), [...kept].sort())

    const done = await processed(alice.api, made.api_id)
    assert.notEqual(done.image_hash, made.image_hash)
    assert.deepEqual(idsOf(done.data), kept)
    assert.ok((await downloaded(at(done.data, 0))).equals(bytes(700, 2)))
    const { body: shown } = await alice.api.get<Thumbnail>(`${pathOf(made)}thumbnail/10`)
    const { width, height } = sizeOfPng(shown)
    assert.ok(height > width, 'the thumbnail should show the new image')

    assert.ok((await downloaded(at(old, 1))).equals(bytes(1000)))
    await bob.api.get(`data/${at(old, 1).api_id}/`, 403)
  })
}

function sizeOfPng({ thumbnail }: Thumbnail) {
  const header = Buffer.from(thumbnail ?? '', 'base64')
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

test('keeps a data object that is listed without bytes', async () => {
  const { figure } = await newPlace(alice.api)
  const made = await publish(alice.api, figure.api_id, [
    code(bytes(10)),
    file(bytes(20)),
    file(bytes(30)),
  ])
  const [first, , third] = made.data ?? []
  const fresh = file(bytes(5, 9), 'fresh.bin')
  const { body } = await alice.api.patch<Revision>(pathOf(made), { data: [third, fresh, first] })
  assert.deepEqual(idsOf(body.data), [third?.api_id, at(body.data, 1).api_id, first?.api_id])
  assert.equal(at(body.data, 1).name, 'fresh.bin')
  assert.equal(body.size_bytes, 45)
  assert.ok((await downloaded(at(body.data, 0))).equals(bytes(30)))

  const before = (await alice.api.get(pathOf(made))).text
  const other = await publish(alice.api, figure.api_id, [code(bytes(10))])
  for (const stranger of [at(made.data, 1), at(other.data, 0), { api_id: crypto.randomUUID() }]) {
    const refused = await alice.api.patch<Refusal>(pathOf(made), { data: [fresh, stranger] }, 400)
    assert.match(messageOf(refused), /data\[1\]\.api_id/)
  }
  const twice = await alice.api.patch<Refusal>(pathOf(made), { data: [first, first] }, 400)
  assert.match(messageOf(twice), /data\[1\]\.api_id/)
  assert.equal((await alice.api.get(pathOf(made))).text, before)
})

test('appends data after existing data', async () => {
  const { figure, workspace } = await newPlace(alice.api)
  const made = await publish(alice.api, figure.api_id, [code(bytes(10))])
  const append = (data: unknown, status = 200) =>
    alice.api.post<Revision & Refusal>(`${pathOf(made)}append_data/`, { data }, status)
  const { body } = await append([image(png(30, 20)), file(bytes(7))])
  assert.deepEqual(
    body.data?.map(({ type }) => type),
    ['code', 'image', 'file'],
  )
  assert.equal(at(body.data, 0).api_id, at(made.data, 0).api_id)
  assert.equal(body.size_bytes, 17 + png(30, 20).length)
  assert.equal(await sizeOf(`workspace/${workspace.api_id}/`), body.size_bytes)
  assert.equal(body.is_processing, true)
  assert.ok((await processed(alice.api, made.api_id)).image_hash)
  assert.match(messageOf(await append([{ type: 'table', data: '' }], 400)), /data\[0\]\.type/)
  const { body: none } = await append([])
  assert.equal(none.size_bytes, body.size_bytes)
})

test('eight clients append to one revision concurrently without losses, with exact sizes', async () => {
  const { figure } = await newPlace(alice.api)
  const made = await newRevision(alice.api, figure.api_id)
  const sizes = Array.from({ length: 8 }, (_, i) => 11 * (i + 1))
  await Promise.all(
    sizes.map((size) =>
      alice.api.post(`${pathOf(made)}append_data/`, { data: [file(bytes(size, size))] }, 200),
    ),
  )
  const { body } = await alice.api.get<Revision>(pathOf(made))
  assert.deepEqual(
    body.data?.map(({ size_bytes }) => size_bytes).sort((a, b) => a - b),
    sizes,
  )
  const sum = sizes.reduce((a, b) => a + b)
  assert.equal(body.size_bytes, sum)
  assert.equal(await sizeOf(`figure/${figure.api_id}/`), sum)
  const { body: children } = await alice.api.get<{ api_id: string }[]>(`${pathOf(made)}children/`)
  assert.deepEqual(idsOf(children).sort(), idsOf(body.data).sort())
})

const versionIn = (etag: string | null) => /^"(\d+)/.exec(etag ?? '')?.[1]

test('accepts an update of the current version, and sends 412 for an older one', async () => {
  const made = await newRevision(alice.api, place.figure.api_id)
  const etag = async () => (await alice.api.get(pathOf(made))).headers.get('etag') ?? ''
  const update = (match: string, status: number, json: object = { metadata: match }) =>
    alice.api.request<Revision>('PATCH', pathOf(made), {
      json,
      headers: { 'if-match': match },
      status,
    })
  const first = await etag()
  const { headers } = await update(first, 200)
  assert.notEqual(headers.get('etag'), first)
  await update(first, 412)
  await update(first, 412, { data: [file(bytes(4))] })
  const second = await etag()
  assert.equal(versionIn(second), versionIn(headers.get('etag')))
  await update(second, 200, { data: [file(bytes(4))] })
})

test('reports a missing permission before an invalid body', async () => {
  const made = await publish(alice.api, place.figure.api_id, [code(bytes(3))])
  const share = { username: bob.username, sharing_enabled: true }
  const before = (await alice.api.get(pathOf(made))).text
  for (const body of [{ metadata: 1 }, { data: 'odd' }, { data: [{ type: 'odd' }] }, 'odd']) {
    await bob.api.patch(pathOf(made), body, 403)
    await bob.api.put(pathOf(made), body, 403)
    await bob.api.post(`${pathOf(made)}append_data/`, body, 403)
  }
  await alice.api.post(`${pathOf(made)}share/user/`, share, 200)
  await bob.api.patch(pathOf(made), { metadata: 1 }, 403)
  await alice.api.patch(`revision/${crypto.randomUUID()}/`, { metadata: 1 }, 404)
  assert.equal((await alice.api.get(pathOf(made))).text, before)
})

test('a rejected update changes nothing and names the invalid member', async () => {
  const { figure } = await newPlace(alice.api)
  const elsewhere = await newPlace(alice.api)
  const made = await publish(alice.api, figure.api_id, [code(bytes(3))])
  const before = (await alice.api.get(pathOf(made))).text
  const good = file(bytes(9))
  for (const [body, named] of [
    [{ data: [good, { ...good, type: 'table' }] }, /data\[1\]\.type/],
    [{ data: [{ ...good, data: '?' }] }, /data\[0\]\.data/],
    [{ data: [good], is_clean_room: 'yes' }, /is_clean_room/],
    [{ data: {} }, /data/],
    [{ description: 5 }, /description/],
    [{ figure: elsewhere.figure.api_id }, /figure/],
    [{ assets: [{ asset_revision: crypto.randomUUID(), use_type: 'direct' }] }, /assets/],
    [{ assets: [{ asset_revision: 'odd', use_type: 'direct' }] }, /assets/],
    [{ assets: 'odd' }, /assets/],
  ] as const) {
    const refused = await alice.api.patch<Refusal>(pathOf(made), body, 400)
    assert.match(messageOf(refused), named, JSON.stringify(body).slice(0, 100))
  }
  assert.equal((await alice.api.get(pathOf(made))).text, before)
  await alice.api.patch(pathOf(made), { figure: figure.api_id }, 200)
})

test('updates asset revisions in the same way', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const made = await publishAsset(alice.api, asset.api_id, [file(bytes(10))], {
    metadata: { a: 1 },
  })
  const path = `asset_revision/${made.api_id}/`
  const { body } = await alice.api.put<AssetRevision>(path, {
    ...made,
    metadata: { b: 2 },
    data: [file(bytes(25, 3))],
  })
  assert.deepEqual([body.metadata, body.size_bytes, body.is_processing], [{ b: 2 }, 25, true])
  const done = await processed<AssetRevision>(alice.api, made.api_id, 'asset_revision')
  assert.notEqual(done.data_hash, made.data_hash)
  assert.equal(done.data_hash, at(done.data, 0).hash)
  assert.equal(await sizeOf(`asset/${asset.api_id}/`), 25)
  await bob.api.put(path, {}, 403)
})
