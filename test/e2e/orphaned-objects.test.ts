import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { deployment, LATEST } from '../src/deployment.js'
import { file, newPlace, type Place, publish } from '../src/publish.js'
import { findRemainingObjects, findStoredObjects } from '../src/stored-objects.js'
import { signUp, type TestUser } from '../src/users.js'
import { dial, head } from '../src/wire.js'

const options = deployment.dataDir ? {} : { skip: 'FIGBASE_DATA_DIR is not set' }

let alice: TestUser
let stranger: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
})

test('stores published data once in the object store', options, async () => {
  const bytes = randomBytes(SIZE)
  await publish(alice.api, place.figure.api_id, [file(bytes)])
  const kept = await findStoredObjects(bytes.subarray(0, 64))
  assert.equal(kept.length, 1, 'otherwise the other tests would prove nothing')
})

test('a 403 leaves no object, at any position of the figure in the body', options, async () => {
  const bytes = randomBytes(SIZE)
  const figure = place.figure.api_id
  await stranger.api.post('revision/', { data: [file(bytes)], figure }, 403)
  await stranger.api.post('revision/', { figure, data: [file(bytes)] }, 403)
  assert.deepEqual(await findRemainingObjects(bytes.subarray(0, 64)), [])
})

test('an invalid body leaves no objects of its valid parts', options, async () => {
  const bytes = randomBytes(SIZE)
  const good = file(bytes)
  const figure = place.figure.api_id
  for (const body of [
    { figure, data: [good, { ...good, data: 'no base64' }] },
    { data: [good, { ...good, data: 'no base64' }], figure },
    { figure, data: [good, { ...good, type: 'table' }] },
    { figure, data: [good], metadata: '\u0000' },
    { figure, data: [good], client_id: 'x' },
    { data: [good] },
  ]) {
    await alice.api.post('revision/', body, 400)
  }
  await alice.api.post('revision/', { data: [good], figure: crypto.randomUUID() }, 400)
  const raw = `{"figure":"${figure}","data":[${JSON.stringify(good)}],}`
  await alice.api.request('POST', 'revision/', { raw, status: 400 })
  assert.deepEqual(await findRemainingObjects(bytes.subarray(0, 64)), [])
})

test('a repeated client_id leaves no second object', options, async () => {
  const bytes = randomBytes(SIZE)
  const body = { client_id: crypto.randomUUID(), figure: place.figure.api_id }
  await alice.api.post('revision/', { ...body, data: [] })
  await alice.api.post('revision/', { ...body, data: [file(bytes)] }, 409)
  assert.deepEqual(await findRemainingObjects(bytes.subarray(0, 64)), [])
})

test('a client that disconnects leaves no object', options, async () => {
  const bytes = randomBytes(SIZE)
  const objects = [file(bytes), file(bytes)]
  const figureFirst = JSON.stringify({ figure: place.figure.api_id, data: objects })
  const dataFirst = JSON.stringify({ data: objects, figure: place.figure.api_id })
  for (const body of [figureFirst, dataFirst]) {
    for (const part of [0.3, 0.6, 0.95]) {
      const wire = await dial()
      const { authorization } = alice.api
      const headers = { 'content-length': String(body.length) }
      const path = `/api/${LATEST}/revision/`
      await wire.write(head({ method: 'POST', path, authorization, headers }))
      await wire.write(body.slice(0, Math.floor(body.length * part)))
      wire.destroy()
    }
  }
  // The server reads this upload after the broken ones, so it has handled those.
  await publish(alice.api, place.figure.api_id, [file(randomBytes(10))])
  assert.deepEqual(await findRemainingObjects(bytes.subarray(0, 64)), [])
})

const SIZE = 300_000
