import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isFrom, LATEST, VERSIONS } from '../src/deployment.js'
import { file, newFigure, newPlace, type Place } from '../src/publish.js'
import type { Figure, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

test('client_id becomes the api_id of the revision, at any position in the body', async () => {
  for (const first of [true, false]) {
    const client_id = crypto.randomUUID()
    const rest = { figure: place.figure.api_id, data: [file(Buffer.from('a'))] }
    const body = first ? { client_id, ...rest } : { ...rest, client_id }
    const { body: created } = await alice.api.post<Revision>('revision/', body)
    assert.equal(created.api_id, client_id)
    const { body: read } = await alice.api.get<Revision>(`revision/${client_id}/`)
    assert.equal(read.api_id, client_id)
    assert.ok(!('client_id' in read), 'client_id is write-only')
  }
})

test('sends 409 for a repeated client_id in any figure and from any user, and leaves nothing', async () => {
  const figure = place.figure.api_id
  const client_id = crypto.randomUUID()
  const body = { figure, client_id, data: [file(Buffer.from('once'))] }
  await alice.api.post('revision/', body)
  const bob = await signUp()
  const otherPlace = await newPlace(bob.api)
  const other = await newFigure(alice.api, place.analysis.api_id)
  const { text: before } = await alice.api.get(`figure/${figure}/`)
  await alice.api.post('revision/', body, 409)
  await alice.api.post('revision/', { ...body, figure: other.api_id }, 409)
  await bob.api.post('revision/', { ...body, figure: otherPlace.figure.api_id }, 409)
  assert.equal((await alice.api.get(`figure/${figure}/`)).text, before)
  for (const [owner, id] of [
    [alice, other.api_id],
    [bob, otherPlace.figure.api_id],
  ] as const) {
    const { body: untouched } = await owner.api.get<Figure>(`figure/${id}/`)
    assert.deepEqual(untouched.revisions, [])
    assert.equal(untouched.size_bytes, 0)
  }
})

test('sends 409 for a client_id that is the id of another object', async () => {
  const figure = place.figure.api_id
  for (const client_id of [figure, place.workspace.api_id]) {
    await alice.api.post('revision/', { figure, client_id }, 409)
  }
  await alice.api.get(`figure/${figure}/`)
})

for (const version of VERSIONS.filter((version) => !isFrom(version, LATEST))) {
  test(`${version}: ignores client_id`, async () => {
    const me = alice.at(version)
    const client_id = crypto.randomUUID()
    const body = { figure: place.figure.api_id, client_id }
    const { body: one } = await me.post<Revision>('revision/', body)
    const { body: two } = await me.post<Revision>('revision/', body)
    assert.notEqual(one.api_id, client_id)
    assert.notEqual(one.api_id, two.api_id)
    await me.post('revision/', { ...body, client_id: 'no uuid' })
  })
}

test('ignores api_id and uses client_id', async () => {
  const api_id = crypto.randomUUID()
  const client_id = crypto.randomUUID()
  const body = { figure: place.figure.api_id, api_id, client_id }
  const { body: created } = await alice.api.post<Revision>('revision/', body)
  assert.equal(created.api_id, client_id)
})
