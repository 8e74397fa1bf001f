import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import {
  at,
  file,
  newAnalysis,
  newFigure,
  newPlace,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { Analysis, Container, Figure, Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser

before(async () => {
  alice = await signUp()
})

test('updates the sizes of all ancestors at once after each publish and delete', async () => {
  const place = await newPlace(alice.api)
  const other = await newFigure(alice.api, place.analysis.api_id, 'Figure 2')
  const first = await publish(alice.api, place.figure.api_id, [bytes(100), bytes(20)])
  assert.equal(first.size_bytes, 120)
  await expectSizes(alice.api, place, [120, 120, 120])
  const second = await publish(alice.api, place.figure.api_id, [bytes(3000)])
  await expectSizes(alice.api, place, [3120, 3120, 3120])
  await publish(alice.api, other.api_id, [bytes(7)])
  await expectSizes(alice.api, place, [3120, 3127, 3127])
  await alice.api.delete(`revision/${first.api_id}/`)
  await expectSizes(alice.api, place, [3000, 3007, 3007])
  await alice.api.delete(`figure/${other.api_id}/`)
  await expectSizes(alice.api, place, [3000, 3000, 3000])
  await alice.api.delete(`revision/${second.api_id}/`)
  await expectSizes(alice.api, place, [0, 0, 0])
})

test('lists and nested forms show the same sizes', async () => {
  const place = await newPlace(alice.api)
  await publish(alice.api, place.figure.api_id, [bytes(4321)])
  const { body: list } = await alice.api.get<Workspace[]>('workspace/')
  const listed = list.find(({ api_id }) => api_id === place.workspace.api_id)
  const [workspace, analysis, figure] = await ancestors(alice.api, place)
  const sizes = [
    listed,
    at(workspace.analyses, 0),
    at(analysis.figures, 0),
    at(figure.revisions, 0),
  ]
  assert.deepEqual(
    sizes.map((object) => object?.size_bytes),
    [4321, 4321, 4321, 4321],
  )
})

for (const version of VERSIONS) {
  test(`${version}: child_updated_on of every ancestor is the revision's created_on`, async () => {
    const me = alice.at(version)
    const place = await newPlace(me)
    const { body: created } = await me.post<Revision>('revision/', {
      figure: place.figure.api_id,
      data: [bytes(10)],
    })
    await expectChild(me, place, created.created_on)
    const revision = await processed(me, created.api_id)
    assert.equal(revision.created_on, created.created_on)
    assert.equal(revision.updated_on, null, 'processing should not change updated_on')
    await expectChild(me, place, created.created_on)

    const sentAt = Date.now()
    await me.delete(`revision/${created.api_id}/`)
    for (const ancestor of await ancestors(me, place)) {
      assert.notEqual(ancestor.child_updated_on, created.created_on)
      const deletedAt = Date.parse(ancestor.child_updated_on ?? '')
      assert.ok(deletedAt >= sentAt - 1, `${ancestor.child_updated_on} against ${sentAt}`)
      assert.equal(ancestor.child_updated_by, alice.username)
      assert.equal(ancestor.updated_on, null)
    }
  })
}

test('times have microsecond precision', async () => {
  const places = await Promise.all([newPlace(alice.api), newPlace(alice.api), newPlace(alice.api)])
  const digits = places.map(({ figure }) => /\.(\d+)/.exec(figure.created_on)?.[1] ?? '')
  assert.ok(
    digits.some((fraction) => fraction.length === 6 && !fraction.endsWith('000')),
    digits.join(),
  )
})

test('creating and updating a figure updates the times of its ancestors exactly', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const above = async () => [
    (await alice.api.get<Container>(`analysis/${analysis.api_id}/`)).body,
    (await alice.api.get<Container>(`workspace/${workspace.api_id}/`)).body,
  ]
  for (const ancestor of await above()) {
    assert.equal(ancestor.child_updated_on, figure.created_on)
    assert.equal(ancestor.updated_on, null)
  }
  const path = `figure/${figure.api_id}/`
  const { body } = await alice.api.patch<Figure>(path, { name: 'renamed' })
  assert.equal(body.updated_by, alice.username)
  for (const ancestor of await above()) {
    assert.equal(ancestor.child_updated_on, body.updated_on)
    assert.equal(ancestor.child_updated_by, alice.username)
  }
})

test('a figure lists its revisions in order, with indexes from zero', async () => {
  const { figure } = await newPlace(alice.api)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { body } = await alice.api.post<Revision>('revision/', { figure: figure.api_id })
    assert.equal(body.revision_index, i)
    ids.push(body.api_id)
  }
  const { body } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.deepEqual(
    body.revisions?.map(({ api_id, revision_index }) => [api_id, revision_index]),
    ids.map((id, i) => [id, i]),
  )
  await alice.api.delete(`revision/${ids[1]}/`)
  const { body: after } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.deepEqual(
    after.revisions?.map(({ api_id }) => api_id),
    ids.filter((_, i) => i !== 1),
  )
})

test('sends 204 with an empty body for a delete, and 404 for the second', async () => {
  const { figure } = await newPlace(alice.api)
  const answer = await alice.api.delete(`figure/${figure.api_id}/`)
  assert.equal(answer.bytes.length, 0)
  await alice.api.delete(`figure/${figure.api_id}/`, 404)
})

for (const root of ['revision', 'figure', 'analysis', 'workspace'] as const) {
  test(`a deleted ${root} disappears from all reads at once, with its descendants`, async () => {
    const place = await newPlace(alice.api)
    const revision = await publish(alice.api, place.figure.api_id, [bytes(50)])
    const sibling = await newAnalysis(alice.api, place.workspace.api_id, 'Sibling')
    const chain = [
      ['workspace', place.workspace.api_id],
      ['analysis', place.analysis.api_id],
      ['figure', place.figure.api_id],
      ['revision', revision.api_id],
      ['data', at(revision.data, 0).api_id],
    ] as const
    const from = chain.findIndex(([resource]) => resource === root)
    const rootId = at(chain, from)[1]
    await alice.api.delete(`${root}/${rootId}/`)

    for (const [resource, id] of chain.slice(from)) {
      await alice.api.get(`${resource}/${id}/`, 404)
      if (resource === 'data') continue
      const { body } = await alice.api.get<{ api_id: string }[]>(`${resource}/`)
      assert.ok(!body.some(({ api_id }) => api_id === id), `${resource} ${id} is still listed`)
      await alice.api.delete(`${resource}/${id}/`, 404)
    }
    await alice.api.get(`revision/${revision.api_id}/status/`, 404)
    await alice.api.get(`revision/${revision.api_id}/thumbnail/64/`, 404)
    await alice.api.get(`revision/${revision.api_id}/thumbnail/64/?dl=1`, 404)
    await expectNoChildrenBelow(place, from, sibling.api_id)
  })
}

test('rejects creates in deleted parents', async () => {
  const place = await newPlace(alice.api)
  await alice.api.delete(`workspace/${place.workspace.api_id}/`)
  await alice.api.post('analysis/', { name: 'A', workspace: place.workspace.api_id }, 400)
  await alice.api.post('figure/', { name: 'F', analysis: place.analysis.api_id }, 400)
  await alice.api.post('revision/', { figure: place.figure.api_id, data: [] }, 400)
  await alice.api.patch(`figure/${place.figure.api_id}/`, { name: 'F' }, 404)
})

async function expectNoChildrenBelow(place: Place, from: number, sibling: string) {
  if (from === 0) return
  const { body: workspace } = await alice.api.get<Workspace>(`workspace/${place.workspace.api_id}/`)
  assert.equal(workspace.size_bytes, 0)
  const analyses = workspace.analyses?.map(({ api_id }) => api_id)
  assert.deepEqual(analyses, from === 1 ? [sibling] : [place.analysis.api_id, sibling])
  if (from === 1) return
  const { body: analysis } = await alice.api.get<Analysis>(`analysis/${place.analysis.api_id}/`)
  assert.equal(analysis.size_bytes, 0)
  assert.equal(analysis.figures?.length, from === 2 ? 0 : 1)
  if (from === 2) return
  const { body: figure } = await alice.api.get<Figure>(`figure/${place.figure.api_id}/`)
  assert.deepEqual(figure.revisions, [])
}

async function ancestors(owner: Client, place: Place): Promise<[Workspace, Analysis, Figure]> {
  const [workspace, analysis, figure] = await Promise.all([
    owner.get<Workspace>(`workspace/${place.workspace.api_id}/`),
    owner.get<Analysis>(`analysis/${place.analysis.api_id}/`),
    owner.get<Figure>(`figure/${place.figure.api_id}/`),
  ])
  return [workspace.body, analysis.body, figure.body]
}

async function expectSizes(owner: Client, place: Place, [figure, analysis, workspace]: number[]) {
  const found = await ancestors(owner, place)
  assert.deepEqual(
    found.map(({ size_bytes }) => size_bytes),
    [workspace, analysis, figure],
  )
}

async function expectChild(owner: Client, place: Place, time: string): Promise<void> {
  for (const ancestor of await ancestors(owner, place)) {
    assert.equal(ancestor.child_updated_on, time, ancestor.entity_type)
    assert.equal(ancestor.child_updated_by, alice.username)
    assert.equal(ancestor.updated_on, null)
  }
}

function bytes(length: number) {
  return file(Buffer.alloc(length, length))
}
