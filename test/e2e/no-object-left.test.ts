import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { deployment, LATEST } from '../src/deployment.js'
import { keptInTheEnd, keptObjects } from '../src/kept-objects.js'
import { type Person, signUp } from '../src/people.js'
import { file, newPlace, type Place, publish } from '../src/publish.js'
import { dial, head } from '../src/wire.js'

const options = deployment.dataDir ? {} : { skip: 'FIGBASE_DATA_DIR is not set' }

let alice: Person
let stranger: Person
let place: Place

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
})

test('what is published is in the object store, once', options, async () => {
  const bytes = randomBytes(SIZE)
  await publish(alice.api, place.figure.api_id, [file(bytes)])
  const kept = await keptObjects(bytes.subarray(0, 64))
  assert.equal(kept.length, 1, 'without this the other tests would prove nothing')
})

test('a refused stranger leaves no object, wherever the figure stands', options, async () => {
  const bytes = randomBytes(SIZE)
  const figure = place.figure.api_id
  await stranger.api.post('revision/', { data: [file(bytes)], figure }, 403)
  await stranger.api.post('revision/', { figure, data: [file(bytes)] }, 403)
  assert.deepEqual(await keptInTheEnd(bytes.subarray(0, 64)), [])
})

test('a refused body leaves no object of what was good in it', options, async () => {
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
  assert.deepEqual(await keptInTheEnd(bytes.subarray(0, 64)), [])
})

test('a repeated client_id leaves no second object', options, async () => {
  const bytes = randomBytes(SIZE)
  const body = { client_id: crypto.randomUUID(), figure: place.figure.api_id }
  await alice.api.post('revision/', { ...body, data: [] })
  await alice.api.post('revision/', { ...body, data: [file(bytes)] }, 409)
  assert.deepEqual(await keptInTheEnd(bytes.subarray(0, 64)), [])
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
  // An upload that the server reads after those shows that it has seen them.
  await publish(alice.api, place.figure.api_id, [file(randomBytes(10))])
  assert.deepEqual(await keptInTheEnd(bytes.subarray(0, 64)), [])
})

const SIZE = 300_000
