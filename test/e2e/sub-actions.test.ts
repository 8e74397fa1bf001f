import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { at, code, file, newPlace, type Place, publish } from '../src/publish.js'
import type { Asset, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place
let revision: Revision
let asset: Asset

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  const { workspace, figure } = place
  revision = await publish(alice.api, figure.api_id, [
    file(Buffer.alloc(40)),
    code(Buffer.alloc(2)),
  ])
  asset = (await alice.api.post<Asset>('asset/', { name: 'a', workspace: workspace.api_id })).body
})

const paths = () => [
  `workspace/${place.workspace.api_id}`,
  `analysis/${place.analysis.api_id}`,
  `figure/${place.figure.api_id}`,
  `revision/${revision.api_id}`,
  `asset/${asset.api_id}`,
]

for (const version of VERSIONS) {
  test(`${version}: size/ returns the size of each object`, async () => {
    const me = alice.at(version)
    const sizes = await Promise.all(
      paths().map(async (path) => (await me.get(`${path}/size/`)).body),
    )
    assert.deepEqual(
      sizes,
      [42, 42, 42, 42, 0].map((size_bytes) => ({ size_bytes })),
    )
  })

  test(`${version}: children/ returns all descendants, including data objects`, async () => {
    const me = alice.at(version)
    const { analysis, figure } = place
    const data = (revision.data ?? []).map(({ api_id }) => ['external_data', api_id])
    const inFigure = [['figure_revision', revision.api_id], ...data]
    const inAnalysis = [['figure', figure.api_id], ...inFigure]
    const inWorkspace = [['analysis', analysis.api_id], ['asset', asset.api_id], ...inAnalysis]
    const expected = [inWorkspace, inAnalysis, inFigure, data, []]
    for (const [i, path] of paths().entries()) {
      type Child = { entity_type: string; api_id: string }
      const { body } = await me.get<Child[]>(`${path}/children/`)
      const children = body.map(({ entity_type, api_id }) => [entity_type, api_id])
      assert.deepEqual(children.sort(), at(expected, i).sort(), path)
    }
  })
}

test('a data object has its own size, and the thumbnail and log of its revision', async () => {
  const path = `data/${at(revision.data, 0).api_id}`
  const { body: size } = await alice.api.get(`${path}/size/`)
  assert.deepEqual(size, { size_bytes: 40 })
  assert.deepEqual((await alice.api.get(`${path}/children/`)).body, [])
  for (const end of ['thumbnail/', 'thumbnail/16/', 'log/', 'log/?deep=true']) {
    const { body } = await alice.api.get(`revision/${revision.api_id}/${end}`)
    assert.deepEqual((await alice.api.get(`${path}/${end}`)).body, body, end)
  }
  for (const end of ['size/', 'children/', 'thumbnail/', 'log/']) {
    await bob.api.get(`${path}/${end}`, 403)
    await client().get(`${path}/${end}`, 401)
    await alice.api.get(`data/${crypto.randomUUID()}/${end}`, 404)
  }
  await alice.api.post(`${path}/size/`, {}, 405)
})

test('sub-actions require permission to view the object', async () => {
  for (const action of ['size', 'children']) {
    for (const path of paths()) {
      await bob.api.get(`${path}/${action}/`, 403)
      await client().get(`${path}/${action}/`, 401)
      const resource = path.split('/')[0]
      await alice.api.get(`${resource}/${crypto.randomUUID()}/${action}/`, 404)
      await client().get(`${resource}/${crypto.randomUUID()}/${action}/`, 401)
    }
    await alice.api.get(`figure/${place.workspace.api_id}/${action}/`, 404)
  }
})
