import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { either } from '../src/client.js'
import { newAnalysis, newPlace, newRevision, type Place } from '../src/publish.js'
import type { Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

for (const resource of ['workspace', 'analysis', 'figure'] as const) {
  test(`${resource}: accepts an update of the current version, and sends 412 for an older one`, async () => {
    const path = `${resource}/${place[resource].api_id}/`
    const first = await etagOf(path)
    const updated = await alice.api.request<Workspace>('PATCH', path, {
      json: { name: 'second' },
      headers: { 'if-match': first },
      status: 200,
    })
    assert.equal(updated.body.name, 'second')
    const second = await etagOf(path)
    assert.notEqual(second, first)
    const own = updated.headers.get('etag') ?? ''
    assert.equal(versionIn(own), versionIn(second), 'an update should return the new version')

    for (const method of ['PATCH', 'PUT']) {
      const stale = { json: { name: 'third' }, headers: { 'if-match': first }, status: 412 }
      await alice.api.request(method, path, stale)
    }
    const { body } = await alice.api.get<Workspace>(path)
    assert.equal(body.name, 'second', 'a rejected update should change nothing')
    assert.equal(body.updated_on, updated.body.updated_on)
    const update = async (name: string, etag: string) =>
      alice.api.request('PUT', path, { json: { name }, headers: { 'if-match': etag }, status: 200 })
    const third = await update('third', second)
    await update('fourth', third.headers.get('etag') ?? '')
  })

  test(`${resource}: accepts an update with the ETag of the 201`, async () => {
    const fresh = await newPlace(alice.api)
    const parent = { analysis: fresh.analysis.api_id, workspace: fresh.workspace.api_id }
    const json = { name: 'N', ...(resource === 'workspace' ? {} : parent) }
    const created = await alice.api.request<Workspace>('POST', `${resource}/`, { json })
    const etag = created.headers.get('etag') ?? ''
    assert.match(etag, /^(W\/)?".+"$/)
    const path = `${resource}/${created.body.api_id}/`
    const headers = { 'if-match': etag }
    await alice.api.request('PATCH', path, { json: { name: 'M' }, headers, status: 200 })
  })
}

test('If-Match: * matches any version', async () => {
  await patchFigureIf('*', 200)
})

test('If-Match accepts a list with the current ETag', async () => {
  const etag = await etagOf(`figure/${place.figure.api_id}/`)
  await patchFigureIf(`"something else", ${etag}`, 200)
})

test('If-Match with another or an invalid ETag changes nothing', async () => {
  const path = `figure/${place.figure.api_id}/`
  const { text } = await alice.api.get(path)
  await patchFigureIf('"something else"', 412)
  await patchFigureIf('nonsense', 412)
  await patchFigureIf('"', 412)
  assert.equal((await alice.api.get(path)).text, text)
})

test('sends 412 for a delete of an older version, and deletes nothing', async () => {
  const { figure } = await newPlace(alice.api)
  const path = `figure/${figure.api_id}/`
  const etag = await etagOf(path)
  await alice.api.patch(path, { name: 'changed' })
  await alice.api.request('DELETE', path, { headers: { 'if-match': etag }, status: 412 })
  await alice.api.get(path)
  const current = { headers: { 'if-match': await etagOf(path) }, status: 204 }
  await alice.api.request('DELETE', path, current)
  await alice.api.get(path, 404)
})

test('deletes a revision only if If-Match matches', async () => {
  const { api_id } = await newRevision(alice.api, place.figure.api_id)
  const path = `revision/${api_id}/`
  const etag = await etagOf(path)
  const other = { 'if-match': '"another"' }
  await alice.api.request('DELETE', path, { headers: other, status: 412 })
  await alice.api.request('DELETE', path, { headers: { 'if-match': etag }, status: 204 })
})

test('only one of eight concurrent updates of one version succeeds', async () => {
  const path = `analysis/${place.analysis.api_id}/`
  const headers = { 'if-match': await etagOf(path) }
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      alice.api.request('PATCH', path, {
        json: { name: `n${i}` },
        headers,
        status: either('one wins', 200, 412),
      }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('If-None-Match never hides a change of the object or its children', async () => {
  const { workspace } = await newPlace(alice.api)
  const path = `workspace/${workspace.api_id}/`
  const read = (etag: string) =>
    alice.api.request<Workspace>('GET', path, { headers: { 'if-none-match': etag }, status: 200 })
  const etag = await etagOf(path)
  const same = { headers: { 'if-none-match': etag }, status: 304 }
  await alice.api.request('GET', path, same)
  const { api_id } = await newAnalysis(alice.api, workspace.api_id, 'newcomer')
  const below = await read(etag)
  assert.ok(below.body.analyses?.some((analysis) => analysis.api_id === api_id))
  const own = await etagOf(path)
  await alice.api.patch(path, { name: 'renamed' })
  assert.equal((await read(own)).body.name, 'renamed')
})

async function patchFigureIf(ifMatch: string, status: number): Promise<void> {
  await alice.api.request('PATCH', `figure/${place.figure.api_id}/`, {
    json: { description: ifMatch },
    headers: { 'if-match': ifMatch },
    status,
  })
}

const versionIn = (etag: string) => /^"(\d+)/.exec(etag)?.[1]

async function etagOf(path: string): Promise<string> {
  const etag = (await alice.api.get(path)).headers.get('etag')
  assert.match(etag ?? '', /^(W\/)?".+"$/, `${path} should have an ETag`)
  return etag ?? ''
}
