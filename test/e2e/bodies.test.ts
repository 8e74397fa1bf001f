import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { LATEST } from '../src/deployment.js'
import { image, newPlace, type Place, publish } from '../src/publish.js'
import type { Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'
import { chunk, dial, head } from '../src/wire.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

for (const framing of ['content-length', 'chunked'] as const) {
  test(`sends 413 for a JSON body over 1 MiB (${framing}), and keeps serving`, async () => {
    const path = `/api/${LATEST}/workspace/`
    const body = JSON.stringify({ name: 'Big', padding: 'x'.repeat(2 * 1024 * 1024) })
    const { text: before } = await alice.api.get('workspace/')
    const headers: Record<string, string> =
      framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : {}
    if (framing === 'content-length') headers['content-length'] = String(body.length)
    await using wire = await dial()
    const { authorization } = alice.api
    await wire.write(head({ method: 'POST', path, authorization, headers }))
    const sent = wire.write(framing === 'chunked' ? `${chunk(body)}0\r\n\r\n` : body)
    const answer = await wire.answer()
    assert.equal(answer?.status, 413)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    wire.destroy()
    await sent
    assert.equal((await alice.api.get('workspace/')).text, before)
  })
}

test('a client that sends its whole body before it reads receives the 413', async () => {
  const json = { name: 'Big', padding: 'x'.repeat(4 * 1024 * 1024) }
  for (let i = 0; i < 5; i++) await alice.api.post('workspace/', json, 413)
})

test('accepts a JSON body just under 1 MiB', async () => {
  const body = { name: 'Large', padding: 'x'.repeat(1024 * 1024 - 200) }
  await alice.api.post('workspace/', body)
})

test('does not apply the limit of ordinary bodies to uploads', async () => {
  const data = [image(Buffer.alloc(2 * 1024 * 1024))]
  await publish(alice.api, place.figure.api_id, data)
})

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
]) {
  test(`rejects a body of type ${type} where JSON is expected`, async () => {
    const { text: before } = await alice.api.get('workspace/')
    for (const [path, raw] of [
      ['workspace/', '{"name":"Typed"}'],
      ['revision/', `{"figure":"${place.figure.api_id}"}`],
    ] as const) {
      const headers = { 'content-type': type }
      await alice.api.request('POST', path, { raw, headers, status: 415 })
    }
    assert.equal((await alice.api.get('workspace/')).text, before)
  })
}

test('accepts charset UTF-8 in any notation', async () => {
  for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
    const headers = { 'content-type': type }
    const { body } = await alice.api.request<Workspace>('POST', 'workspace/', {
      raw: '{"name":"Ünïcode"}',
      headers,
      status: 201,
    })
    assert.equal(body.name, 'Ünïcode')
  }
})

for (const encoding of ['br', 'compress', 'nonsense', 'gzip, gzip']) {
  test(`rejects a body with Content-Encoding: ${encoding}`, async () => {
    const { text: before } = await alice.api.get('workspace/')
    for (const [path, raw] of [
      ['workspace/', '{"name":"Encoded"}'],
      ['revision/', `{"figure":"${place.figure.api_id}"}`],
    ] as const) {
      const headers = { 'content-encoding': encoding }
      await alice.api.request('POST', path, { raw, headers, status: 415 })
    }
    assert.equal((await alice.api.get('workspace/')).text, before)
  })
}

test('answers pipelined requests in order, also after an error', async () => {
  await using wire = await dial()
  const { authorization } = alice.api
  const request = (path: string, body: string) =>
    head({
      method: 'POST',
      path: `/api/${LATEST}/${path}`,
      authorization,
      headers: { 'content-length': String(body.length) },
    }) + body
  const get = head({ method: 'GET', path: `/api/${LATEST}/info/` })
  await wire.write(request('workspace/', '{"name":5}') + get)
  assert.equal((await wire.answer())?.status, 400)
  assert.equal((await wire.answer())?.status, 200)
})
