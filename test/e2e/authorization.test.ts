import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Answer, client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import { at, image, newPlace, type Place, publish, snapshot } from '../src/publish.js'
import type { Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let stranger: TestUser
let place: Place
let revision: Revision
let dataId: string

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
  revision = await publish(alice.api, place.figure.api_id, [image(png(50, 50))])
  dataId = at(revision.data, 0).api_id
})

const READS = (ids: Ids) => [
  `workspace/${ids.workspace}/`,
  `analysis/${ids.analysis}/`,
  `figure/${ids.figure}/`,
  `revision/${ids.revision}/`,
  `revision/${ids.revision}/status/`,
  `revision/${ids.revision}/thumbnail/`,
  `revision/${ids.revision}/thumbnail/64/`,
  `revision/${ids.revision}/thumbnail/64/?dl=1`,
  `data/${ids.data}/`,
]

interface Ids {
  workspace: string
  analysis: string
  figure: string
  revision: string
  data: string
}

const ids = (): Ids => ({
  workspace: place.workspace.api_id,
  analysis: place.analysis.api_id,
  figure: place.figure.api_id,
  revision: revision.api_id,
  data: dataId,
})

const unknownIds = (): Ids => ({
  workspace: crypto.randomUUID(),
  analysis: crypto.randomUUID(),
  figure: crypto.randomUUID(),
  revision: crypto.randomUUID(),
  data: crypto.randomUUID(),
})

for (const version of VERSIONS) {
  test(`${version}: sends 403 for reads without permission`, async () => {
    for (const path of READS(ids())) await stranger.at(version).get(path, 403)
  })
}

test('sends 404 for reads of unknown ids', async () => {
  for (const path of READS(unknownIds())) await alice.api.get(path, 404)
})

test('sends 404 for the id of an object of another type', async () => {
  const { workspace, figure, revision, data } = ids()
  for (const path of [
    `figure/${workspace}/`,
    `workspace/${figure}/`,
    `revision/${figure}/`,
    `analysis/${revision}/`,
    `revision/${data}/`,
    `data/${revision}/`,
  ]) {
    await alice.api.get(path, 404)
  }
})

test('rejects ids that are not UUIDs', async () => {
  for (const id of ['1', 'x', '%00', '%27', '..%2f', `${place.figure.api_id}x`]) {
    for (const resource of ['workspace', 'analysis', 'figure', 'revision', 'data']) {
      await alice.api.get(`${resource}/${id}/`, 404)
    }
  }
})

test('sends 403 for writes without permission, and changes nothing', async () => {
  const before = await snapshot(alice.api, place)
  for (const resource of ['workspace', 'analysis', 'figure'] as const) {
    const path = `${resource}/${place[resource].api_id}/`
    await stranger.api.put(path, { name: 'mine' }, 403)
    await stranger.api.patch(path, { name: 'mine' }, 403)
    await stranger.api.delete(path, 403)
  }
  await stranger.api.delete(`revision/${revision.api_id}/`, 403)
  assert.deepEqual(await snapshot(alice.api, place), before)
})

test('sends 403 rather than 400 for invalid writes without permission', async () => {
  const before = await snapshot(alice.api, place)
  const odd = [{ name: 5 }, { name: '' }, { name: 'a\u0000' }, { size_bytes: 'x', api_id: 5 }]
  for (const resource of ['workspace', 'analysis', 'figure'] as const) {
    const path = `${resource}/${place[resource].api_id}/`
    for (const body of odd) {
      await stranger.api.put(path, body, 403)
      await stranger.api.patch(path, body, 403)
    }
    await stranger.api.request('PATCH', path, {
      json: { name: 'x' },
      headers: { 'if-match': '"0"' },
      status: 403,
    })
  }
  assert.deepEqual(await snapshot(alice.api, place), before)
})

test("sends 403 for a create in somebody else's parent, also if the body is invalid", async () => {
  const before = await snapshot(alice.api, place)
  const workspace = place.workspace.api_id
  const analysis = place.analysis.api_id
  for (const odd of [{ name: 'ok' }, {}, { name: 5 }, { name: '' }]) {
    await stranger.api.post('analysis/', { ...odd, workspace }, 403)
    await stranger.api.post('figure/', { ...odd, analysis }, 403)
  }
  const figure = place.figure.api_id
  for (const odd of [{ data: [] }, { data: 5 }, { data: [{}] }, { metadata: '\u0000' }]) {
    await stranger.api.post('revision/', { figure, ...odd }, 403)
  }
  assert.deepEqual(await snapshot(alice.api, place), before)
})

test("sends 403 for a create in somebody else's parent, also if its text is invalid", async () => {
  for (const odd of [{ name: 'a\u0000' }, { name: '\ud800' }]) {
    await stranger.api.post('analysis/', { ...odd, workspace: place.workspace.api_id }, 403)
    await stranger.api.post('figure/', { ...odd, analysis: place.analysis.api_id }, 403)
    await stranger.api.post('figure/', { analysis: place.analysis.api_id, ...odd }, 403)
  }
})

test("users cannot move objects into or out of somebody else's workspace", async () => {
  const otherPlace = await newPlace(stranger.api)
  const ownFigure = `figure/${otherPlace.figure.api_id}/`
  const before = await snapshot(alice.api, place)
  for (const method of ['PUT', 'PATCH']) {
    const json = { analysis: place.analysis.api_id }
    await stranger.api.request(method, ownFigure, { json, status: 403 })
    const out = { json: { analysis: otherPlace.analysis.api_id }, status: 403 }
    await stranger.api.request(method, `figure/${place.figure.api_id}/`, out)
  }
  assert.deepEqual(await snapshot(alice.api, place), before)
})

test('sends anonymous users the same 401 for existing and unknown ids', async () => {
  const anybody = client(LATEST)
  const unknown = READS(unknownIds())
  for (const [i, path] of READS(ids()).entries()) {
    const existing = await anybody.get<Refusal>(path, 401)
    const other = await anybody.get<Refusal>(at(unknown, i), 401)
    assert.equal(existing.body.code, 'not_authenticated')
    assert.deepEqual(errorText(existing), errorText(other), path)
  }
  for (const resource of ['workspace', 'analysis', 'figure'] as const) {
    for (const id of [place[resource].api_id, crypto.randomUUID()]) {
      await anybody.put(`${resource}/${id}/`, { name: 'x' }, 401)
      await anybody.patch(`${resource}/${id}/`, { name: 'x' }, 401)
      await anybody.delete(`${resource}/${id}/`, 401)
    }
    await anybody.post(`${resource}/`, { name: 'x' }, 401)
    await anybody.get(`${resource}/`, 401)
  }
  await anybody.delete(`revision/${revision.api_id}/`, 401)
  await anybody.post('revision/', { figure: place.figure.api_id, data: [] }, 401)
})

for (const version of VERSIONS) {
  test(`${version}: sends 405 for writes to data, before any other check`, async () => {
    const callers = [alice.at(version), stranger.at(version), client(version)]
    for (const caller of callers) {
      for (const id of [dataId, crypto.randomUUID()]) {
        for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
          const json = method === 'DELETE' ? undefined : { name: 'x' }
          const answer = await caller.request(method, `data/${id}/`, { json, status: 405 })
          assert.match(answer.headers.get('allow') ?? '', /\bGET\b/)
        }
      }
    }
  })
}

test('sends 404 for unknown tasks, after the 401 for anonymous users', async () => {
  const id = crypto.randomUUID()
  for (const path of [`tasks/${id}/`, `tasks/${id}/logs/`]) {
    await stranger.api.get(path, 404)
    await client(LATEST).get(path, 401)
  }
  await stranger.api.post(`tasks/${id}/cancel/`, {}, 404)
  await client(LATEST).post(`tasks/${id}/cancel/`, {}, 401)
})

test('sends 405 for creating data without a revision', async () => {
  for (const caller of [alice.api, client(LATEST)]) await caller.post('data/', {}, 405)
})

test('rejects updates of a revision without permission', async () => {
  const path = `revision/${revision.api_id}/`
  await stranger.api.patch(path, { metadata: {} }, 403)
  await stranger.api.put(path, { metadata: {} }, 403)
})

test('shows each user only their own objects, in each version', async () => {
  for (const version of VERSIONS) {
    const { body } = await stranger.at(version).get<Workspace[]>('workspace/')
    assert.ok(body.every((workspace) => workspace.created_by === stranger.username))
  }
})

function errorText({ body }: Answer<Refusal>) {
  return { error: body.error, detail: body.detail, code: body.code }
}
