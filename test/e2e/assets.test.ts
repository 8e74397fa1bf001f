import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client } from '../src/client.js'
import { isFrom, VERSIONS } from '../src/deployment.js'
import { at, newAnalysis, newAsset, newPlace, newWorkspace, type Place } from '../src/publish.js'
import type { Analysis, Asset, Workspace } from '../src/resources.js'
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

const idsOf = (objects: { api_id: string }[] | null | undefined) =>
  objects?.map(({ api_id }) => api_id)

for (const version of VERSIONS) {
  test(`${version}: create, PUT, PATCH and GET of an asset return the same form`, async () => {
    const me = alice.at(version)
    const { workspace } = place
    const created = await newAsset(me, workspace.api_id)
    assertShape(created, SHAPES.asset, 'created asset')
    assert.equal(created.entity_type, 'asset')
    assert.deepEqual([created.analysis, created.revisions], [null, []])
    const path = `asset/${created.api_id}/`
    assert.deepEqual((await me.get(path)).body, created)
    const { body: put } = await me.put<Asset>(path, { name: 'renamed', description: '' })
    assert.deepEqual((await me.get(path)).body, put)
    const { body: patched } = await me.patch<Asset>(path, { description: 'described' })
    assert.deepEqual((await me.get(path)).body, patched)
    assert.deepEqual(Object.keys(patched), Object.keys(created))
    assert.deepEqual([patched.name, patched.description], ['renamed', 'described'])
    assert.equal((await me.get(path)).text, (await me.get(path)).text)
    const { body: shallow } = await me.get<Asset>(`${path}?shallow=true`)
    assertShape(shallow, SHAPES.assetNested, 'shallow asset')
    await me.delete(path)
    await me.get(path, 404)
  })

  test(`${version}: workspace and analysis list their assets without revisions`, async () => {
    const me = alice.at(version)
    const { workspace, analysis } = await newPlace(me)
    const scoped = await newAsset(me, workspace.api_id, { analysis: analysis.api_id })
    const plain = await newAsset(me, workspace.api_id)
    const { body } = await me.get<Workspace>(`workspace/${workspace.api_id}/`)
    assert.deepEqual(idsOf(body.assets), idsOf([scoped, plain]))
    assertShape(at(body.assets, 0), SHAPES.assetNested, 'workspace.assets[0]')
    assert.equal(at(body.assets, 0).analysis, analysis.api_id)
    const { body: inAnalysis } = await me.get<Analysis>(`analysis/${analysis.api_id}/`)
    assert.deepEqual(inAnalysis.assets, [at(body.assets, 0)])
    assertShape(at(body.analyses, 0), SHAPES.analysisNested, 'workspace.analyses[0]')

    const { body: assets } = await me.get<Asset[]>('asset/')
    for (const asset of assets) assertShape(asset, SHAPES.assetNested, 'asset list[]')
    assert.ok(idsOf(assets)?.includes(scoped.api_id))
    const { body: list } = await me.get<Workspace[]>('workspace/')
    const listed = list.find(({ api_id }) => api_id === workspace.api_id)
    const expected = isFrom(version, 'v1.3') ? undefined : idsOf([scoped, plain])
    assert.deepEqual(idsOf(listed?.assets), expected)
  })
}

test('deleting an analysis keeps its assets and sets their analysis to null', async () => {
  const { workspace, analysis } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id, { analysis: analysis.api_id })
  await alice.api.delete(`analysis/${analysis.api_id}/`)
  const { body } = await alice.api.get<Asset>(`asset/${asset.api_id}/`)
  assert.deepEqual(body, { ...asset, analysis: null })
  await alice.api.delete(`asset/${asset.api_id}/`)
})

test('an update moves an asset to another workspace, and adds it to or removes it from an analysis', async () => {
  const from = await newPlace(alice.api)
  const to = await newPlace(alice.api)
  const asset = await newAsset(alice.api, from.workspace.api_id, { analysis: from.analysis.api_id })
  const path = `asset/${asset.api_id}/`
  const { body: moved } = await alice.api.put<Asset>(path, { workspace: to.workspace.api_id })
  assert.deepEqual([moved.workspace, moved.analysis], [to.workspace.api_id, null])
  const { body: scoped } = await alice.api.patch<Asset>(path, { analysis: to.analysis.api_id })
  assert.equal(scoped.analysis, to.analysis.api_id)
  const { body: renamed } = await alice.api.put<Asset>(path, { name: 'n' })
  assert.equal(renamed.analysis, to.analysis.api_id, 'omitted members keep their values')
  const { body: free } = await alice.api.patch<Asset>(path, { analysis: null })
  assert.equal(free.analysis, null)
  const { body: left } = await alice.api.get<Workspace>(`workspace/${from.workspace.api_id}/`)
  assert.deepEqual(left.assets, [])
})

test('asset/find_by_name/ finds exact names, among all visible assets or in an analysis', async () => {
  const { workspace, analysis } = await newPlace(alice.api)
  const name = 'Messwerte – Süd.csv'
  const first = await newAsset(alice.api, workspace.api_id, { name })
  const second = await newAsset(alice.api, workspace.api_id, { name, analysis: analysis.api_id })
  await newAsset(alice.api, workspace.api_id, { name: name.toLowerCase() })
  const find = (who: Client, body: object) => who.post<Asset[]>('asset/find_by_name/', body, 200)
  const { body } = await find(alice.api, { name })
  assert.deepEqual(idsOf(body), idsOf([first, second]))
  for (const asset of body) assertShape(asset, SHAPES.assetNested, 'found')
  const scoped = await find(alice.api, { name, analysis: analysis.api_id })
  assert.deepEqual(idsOf(scoped.body), [second.api_id])
  assert.deepEqual((await find(alice.api, { name, analysis: null })).body.length, 2)
  assert.deepEqual((await find(bob.api, { name })).body, [])
  await bob.api.post('asset/find_by_name/', { name, analysis: analysis.api_id }, 403)
  for (const wrong of [{}, { name: 5 }, { name, analysis: crypto.randomUUID() }]) {
    await alice.api.post('asset/find_by_name/', wrong, 400)
  }
})

test('sends 400 with the member for an invalid asset, and 403 to users without permission', async () => {
  const workspace = place.workspace.api_id
  const other = await newWorkspace(alice.api)
  const elsewhere = await newAnalysis(alice.api, other.api_id)
  const asset = await newAsset(alice.api, workspace)
  const path = `asset/${asset.api_id}/`
  const wrong = {
    name: { name: '', workspace },
    workspace: { name: 'n' },
    analysis: { name: 'n', workspace, analysis: elsewhere.api_id },
  }
  for (const [member, body] of Object.entries(wrong)) {
    const { text } = await alice.api.post('asset/', body, 400)
    assert.match(text, new RegExp(`${member}:`))
    await bob.api.post('asset/', { ...body, workspace }, 403)
  }
  await alice.api.patch(path, { analysis: elsewhere.api_id }, 400)
  for (const body of [{ name: 'x' }, { name: 5 }]) {
    await bob.api.patch(path, body, 403)
    await bob.api.put(path, body, 403)
  }
  await bob.api.get(path, 403)
  await bob.api.delete(path, 403)
  assert.deepEqual((await alice.api.get(path)).body, asset)
})
