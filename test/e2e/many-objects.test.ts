import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBLAKE3 } from 'hash-wasm'
import { at, base64, newPlace } from '../src/publish.js'
import type { DataObject, Revision } from '../src/resources.js'
import { signUp } from '../src/users.js'

const many = 10_000

test(`returns ${many} objects of one revision in order`, async () => {
  const alice = await signUp()
  const { api_id: figure } = (await newPlace(alice.api)).figure
  const contents = Array.from({ length: many }, (_, index) => Buffer.from(`object ${index}`))
  const data = contents.map((bytes, index) => ({
    name: `object ${index}`,
    type: 'text',
    metadata: { local_id: crypto.randomUUID() },
    data: base64(bytes),
  }))
  const { body: made } = await alice.api.post<Revision>('revision/', { figure, data })
  assert.equal(
    made.size_bytes,
    contents.reduce((sum, { length }) => sum + length, 0),
  )
  const path = `revision/${made.api_id}/`
  const { body } = await alice.api.get<Revision>(path)
  const hasher = await createBLAKE3()
  assert.deepEqual(
    body.data?.map(({ name, hash }) => [name, hash]),
    contents.map((bytes, index) => [`object ${index}`, hasher.init().update(bytes).digest('hex')]),
  )
  const objects: DataObject[] = body.data ?? []
  for (let index = 0; index < many; index += 97) {
    const { api_id } = at(objects, index)
    const { body: one } = await alice.api.get<DataObject>(`data/${api_id}/`)
    assert.equal(one.data, at(data, index).data)
  }
  const { body: children } = await alice.api.get<unknown[]>(`${path}children/`)
  assert.equal(children.length, many)

  const { body: clone } = await alice.api.post<Revision>(`${path}derive/`, {}, 201)
  assert.equal(clone.data?.length, many)
  const one = { data: [at(data, 0)] }
  await alice.api.post(`${path}append_data/`, one, 400)
  const replaced = await alice.api.patch<Revision>(path, one)
  assert.equal(replaced.body.data?.length, 1)
})
