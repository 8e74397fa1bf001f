import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { either } from '../src/client.js'
import { file, newAnalysis, newFigure, newPlace, type Place, publish } from '../src/publish.js'
import type { DataObject, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const rounds = 12
const updatedOrGone = either('before or after the delete', 200, 404)

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

const sizeOf = async (path: string) =>
  (await alice.api.get<{ size_bytes: number }>(`${path}size/`)).body.size_bytes

test('sizes stay exact if a figure is updated while it moves', async () => {
  const { workspace, analysis } = await newPlace(alice.api)
  const other = await newAnalysis(alice.api, workspace.api_id)
  const figure = await newFigure(alice.api, analysis.api_id)
  const made = await publish(alice.api, figure.api_id, [file(Buffer.alloc(10))])
  const path = `revision/${made.api_id}/`
  let last = analysis.api_id
  const move = async () => {
    for (let round = 0; round < rounds; round++) {
      last = round % 2 === 0 ? other.api_id : analysis.api_id
      await alice.api.patch(`figure/${figure.api_id}/`, { analysis: last })
    }
  }
  const replace = async () => {
    for (let round = 0; round < rounds; round++) {
      await alice.api.patch(path, { data: [file(Buffer.alloc(100 + round))] })
    }
  }
  const append = async () => {
    for (let round = 0; round < rounds; round++) {
      await alice.api.post(`${path}append_data/`, { data: [file(Buffer.alloc(1000))] }, 200)
    }
  }
  await Promise.all([move(), replace(), append()])
  const { body } = await alice.api.get<Revision>(path)
  const size = (body.data ?? []).reduce((sum: number, one: DataObject) => sum + one.size_bytes, 0)
  assert.equal(body.size_bytes, size)
  assert.equal(await sizeOf(`figure/${figure.api_id}/`), size)
  for (const { api_id } of [analysis, other]) {
    assert.equal(await sizeOf(`analysis/${api_id}/`), api_id === last ? size : 0)
  }
  assert.equal(await sizeOf(`workspace/${workspace.api_id}/`), size)
})

test('updates of a revision that is being deleted succeed or get 404, and do not change sizes', async () => {
  const { workspace } = await newPlace(alice.api)
  const analysis = await newAnalysis(alice.api, workspace.api_id)
  const figure = await newFigure(alice.api, analysis.api_id)
  const statuses = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const made = await publish(alice.api, figure.api_id, [file(Buffer.alloc(10))])
    const path = `revision/${made.api_id}/`
    const update = async (kind: number) => {
      const data = [file(Buffer.alloc(500))]
      const { status } =
        kind === 0
          ? await alice.api.post(`${path}append_data/`, { data }, updatedOrGone)
          : await alice.api.patch(path, kind === 1 ? { data } : { metadata: 'new' }, updatedOrGone)
      statuses.add(status)
    }
    await Promise.all([update(0), update(1), update(2), alice.api.delete(path)])
    await alice.api.get(path, 404)
    await update(1)
  }
  assert.ok(statuses.has(404))
  assert.equal(await sizeOf(`figure/${figure.api_id}/`), 0)
  assert.equal(await sizeOf(`workspace/${workspace.api_id}/`), 0)
})

test('handles updates while the analysis is being deleted', async () => {
  const analysis = await newAnalysis(alice.api, place.workspace.api_id)
  const before = await sizeOf(`workspace/${place.workspace.api_id}/`)
  const figure = await newFigure(alice.api, analysis.api_id)
  const made = await publish(alice.api, figure.api_id, [file(Buffer.alloc(10))])
  const path = `revision/${made.api_id}/append_data/`
  const append = async () => {
    for (let round = 0; round < rounds; round++) {
      await alice.api.post(path, { data: [file(Buffer.alloc(1000))] }, updatedOrGone)
    }
  }
  await Promise.all([append(), append(), alice.api.delete(`analysis/${analysis.api_id}/`)])
  assert.equal(await sizeOf(`workspace/${place.workspace.api_id}/`), before)
})
