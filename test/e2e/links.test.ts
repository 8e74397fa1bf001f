import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import {
  at,
  code,
  file,
  newAsset,
  newAssetRevision,
  newPlace,
  newRevision,
  type Place,
} from '../src/publish.js'
import type { AssetRevision, LogPage, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
})

async function dataset(who = alice, workspace = place.workspace.api_id) {
  const asset = await newAsset(who.api, workspace)
  return newAssetRevision(who.api, asset.api_id, [file(Buffer.from('1'))])
}

const path = ({ api_id }: { api_id: string }) => `revision/${api_id}/`
const assetPath = ({ api_id }: { api_id: string }) => `asset_revision/${api_id}/`
const linkTo = ({ api_id }: { api_id: string }, use_type = 'direct') => ({
  asset_revision: api_id,
  use_type,
})
const linksOf = async (revision: { api_id: string }, who = alice) =>
  (await who.api.get<Revision>(path(revision))).body.assets
const backlinksOf = async (revision: { api_id: string }, who = alice) =>
  (await who.api.get<AssetRevision>(assetPath(revision))).body.figure_revisions

test('links are created with the revision, and appear on both sides at once', async () => {
  const [one, two] = [await dataset(), await dataset()]
  const client_id = crypto.randomUUID()
  const assets = [
    { figure_revision: client_id, ...linkTo(one) },
    { figure_revision: crypto.randomUUID(), ...linkTo(two, 'indirect') },
  ]
  const made = await newRevision(alice.api, place.figure.api_id, [], { client_id, assets })
  const expected = assets.map((link) => ({ ...link, figure_revision: client_id }))
  assert.deepEqual(made.assets, expected)
  assert.deepEqual(await linksOf(made), expected)
  assert.deepEqual(await backlinksOf(one), [at(expected, 0)])
  assert.deepEqual(await backlinksOf(two), [at(expected, 1)])
})

test('a list replaces all links, an empty list removes them, a missing list keeps them', async () => {
  const [one, two, three] = [await dataset(), await dataset(), await dataset()]
  const made = await newRevision(alice.api, place.figure.api_id, [], { assets: [linkTo(one)] })
  const set = async (body: object) =>
    (await alice.api.patch<Revision>(path(made), body)).body.assets?.map((link) => [
      link.asset_revision,
      link.use_type,
    ])
  assert.deepEqual(await set({ metadata: 1 }), [[one.api_id, 'direct']])
  assert.deepEqual(await set({ assets: [linkTo(three, 'indirect'), linkTo(two)] }), [
    [three.api_id, 'indirect'],
    [two.api_id, 'direct'],
  ])
  assert.deepEqual(await backlinksOf(one), [])
  assert.equal((await backlinksOf(two))?.length, 1)
  assert.deepEqual(await set({ assets: [] }), [])
  assert.deepEqual(await backlinksOf(three), [])
})

test('rejects links to objects that the caller may not view, and changes nothing', async () => {
  const foreign = await dataset(bob, (await newPlace(bob.api)).workspace.api_id)
  const own = await dataset()
  const made = await newRevision(alice.api, place.figure.api_id, [], { assets: [linkTo(own)] })
  const before = (await alice.api.get(path(made))).text
  const body = { metadata: 'new', data: [code(Buffer.from('x'))], assets: [linkTo(foreign)] }
  await alice.api.patch(path(made), body, 403)
  await alice.api.put(path(made), body, 403)
  assert.equal((await alice.api.get(path(made))).text, before)
  const { body: count } = await alice.api.get<unknown[]>(`figure/${place.figure.api_id}/children/`)
  await alice.api.post('revision/', { figure: place.figure.api_id, ...body }, 403)
  const { body: after } = await alice.api.get<unknown[]>(`figure/${place.figure.api_id}/children/`)
  assert.equal(after.length, count.length)

  await bob.api.post(
    `${assetPath(foreign)}share/user/`,
    { username: alice.username, sharing_enabled: true },
    200,
  )
  await alice.api.patch(path(made), body, 200)
  assert.equal((await backlinksOf(foreign))?.length, 1)
})

test('rejects invalid links with their position', async () => {
  const one = await dataset()
  const made = await newRevision(alice.api, place.figure.api_id)
  for (const assets of [
    [linkTo(one), linkTo(one, 'often')],
    [linkTo(one), { use_type: 'direct' }],
    [linkTo(one), linkTo({ api_id: made.api_id })],
    [linkTo(one), 7],
  ]) {
    const refused = await alice.api.patch<Refusal>(path(made), { assets }, 400)
    assert.match(messageOf(refused), /assets\[1\]/, JSON.stringify(assets))
  }
  assert.deepEqual(await linksOf(made), [])
})

test('removes duplicate links, and defaults to direct use', async () => {
  const one = await dataset()
  const { api_id: asset_revision } = one
  const assets = [{ asset_revision }, linkTo(one), linkTo(one, 'direct')]
  const made = await newRevision(alice.api, place.figure.api_id, [], { assets })
  assert.deepEqual(
    made.assets?.map(({ use_type }) => use_type),
    ['direct'],
  )
})

test('links are removed with either revision', async () => {
  const [one, two] = [await dataset(), await dataset()]
  const made = await newRevision(alice.api, place.figure.api_id, [], {
    assets: [linkTo(one), linkTo(two)],
  })
  await alice.api.delete(assetPath(one))
  assert.deepEqual(
    (await linksOf(made))?.map(({ asset_revision }) => asset_revision),
    [two.api_id],
  )
  await alice.api.delete(path(made))
  assert.deepEqual(await backlinksOf(two), [])
})

test('a viewer of the revision sees the same links as its owner, except figures that they may not view', async () => {
  const one = await dataset()
  const made = await newRevision(alice.api, place.figure.api_id, [], { assets: [linkTo(one)] })
  await alice.api.post(
    `${path(made)}share/user/`,
    { username: bob.username, sharing_enabled: true },
    200,
  )
  const own = (await alice.api.get<object>(path(made))).body
  const shared = (await bob.api.get<object>(path(made))).body
  const hidden = { api_id: place.figure.api_id, name: '', description: null, analysis: null }
  assert.deepEqual(shared, { ...own, figure_metadata: hidden })
  await bob.api.get(assetPath(one), 403)
})

test('unlinks an asset revision from a figure revision', async () => {
  const [one, two] = [await dataset(), await dataset()]
  const made = await newRevision(alice.api, place.figure.api_id, [], {
    assets: [linkTo(one), linkTo(two)],
  })
  const unlink = (body: object, status = 200, who = alice) =>
    who.api.post<AssetRevision & { error: string }>(
      `${assetPath(one)}unlink_figure/`,
      { figure_revision: made.api_id, ...body },
      status,
    )
  await unlink({}, 403, bob)
  await unlink({ figure_revision: 'odd' }, 400)
  await unlink({ anchor: 'odd' }, 400)
  await unlink({ delete_figure_revision: 'odd' }, 400)
  const { body } = await unlink({ anchor: 'asset_revision' })
  assert.deepEqual(body.figure_revisions, [])
  assert.deepEqual(
    (await linksOf(made))?.map(({ asset_revision }) => asset_revision),
    [two.api_id],
  )
  const { body: log } = await alice.api.get<LogPage>(`${assetPath(one)}log/?deep=true`)
  assert.equal(at(log.items, 0).action, 'update')
  await alice.api.post(
    `${assetPath(two)}unlink_figure/`,
    { figure_revision: made.api_id, delete_figure_revision: true },
    200,
  )
  await alice.api.get(path(made), 404)
})
