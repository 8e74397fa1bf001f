import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import { at, newPlace, newWorkspace, type Place } from '../src/publish.js'
import type { Analysis, Figure, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

test('members omitted from a PUT or a PATCH keep their values', async () => {
  for (const path of pathsOf(await newPlace(alice.api))) {
    const { body: before } = await alice.api.get<Figure>(path)
    const { body: named } = await alice.api.put<Figure>(path, { name: 'only the name' })
    assert.equal(named.description, before.description)
    const { body: described } = await alice.api.put<Figure>(path, { description: 'only this' })
    assert.equal(described.name, 'only the name')
    const { body: patched } = await alice.api.patch<Figure>(path, { description: '' })
    assert.equal(patched.description, '')
    assert.equal(patched.name, 'only the name')
    assert.equal(patched.analysis, before.analysis)
    await alice.api.patch(path, {})
  }
})

test('accepts a PUT of the object as it was read, and changes no read-only member', async () => {
  for (const path of pathsOf(place)) {
    const { body: before } = await alice.api.get<Figure>(path)
    const { body: after } = await alice.api.put<Figure>(path, { ...before, _shallow: false })
    for (const member of ['api_id', 'size_bytes', 'created_by', 'created_on', 'name'] as const) {
      assert.equal(after[member], before[member])
    }
  }
})

test('ignores read-only and unknown members on create and update', async () => {
  const ignored = {
    api_id: '00000000-0000-4000-8000-000000000000',
    _shallow: true,
    size_bytes: 12345,
    created_by: 'somebody',
    created_on: '1999-01-01 00:00:00',
    updated_by: 'somebody',
    updated_on: 'not a time',
    child_updated_by: 5,
    child_updated_on: [],
    entity_type: 'organization',
    unknown: { deep: [null] },
  }
  const analysis = { name: 'A', workspace: place.workspace.api_id, ...ignored }
  const { body: created } = await alice.api.post<Analysis>('analysis/', analysis)
  const path = `analysis/${created.api_id}/`
  const { body: updated } = await alice.api.put<Analysis>(path, { ...ignored, name: 'B' })
  for (const body of [created, updated]) {
    assert.notEqual(body.api_id, ignored.api_id)
    assert.equal(body.size_bytes, 0)
    assert.equal(body.created_by, alice.username)
    assert.equal(body.entity_type, 'analysis')
    assert.ok(!body.created_on.startsWith('1999'))
  }
  assert.equal(updated.name, 'B')
})

test('accepts a missing, empty, null and long description in any language', async () => {
  for (const description of [undefined, '', null, 'žluťoučký 😀 \n\t"\\'.repeat(200)]) {
    const body = { name: 'ほげ 🧪 Ωmega', description }
    const { body: created } = await alice.api.post<Workspace>('workspace/', body)
    assert.equal(created.name, body.name)
    assert.equal(created.description ?? '', description ?? '')
  }
})

test('accepts silent=true on create, update and delete', async () => {
  const body = { name: 'Quiet', workspace: place.workspace.api_id }
  const { body: created } = await alice.api.post<Analysis>('analysis/?silent=true', body)
  const path = `analysis/${created.api_id}/?silent=true`
  const { body: updated } = await alice.api.patch<Analysis>(path, { name: 'Quieter' })
  assert.equal(updated.name, 'Quieter')
  assert.notEqual(updated.updated_on, null, 'a silent update should also change updated_on')
  await alice.api.delete(path)
  await alice.api.get(path, 404)
})

test('the default workspace_type is secondary', async () => {
  const { body } = await alice.api.post<Workspace>('workspace/', { name: 'Untyped' })
  assert.equal(body.workspace_type, 'secondary')
})

for (const workspace_type of ['primary', 'tertiary', '', 5]) {
  test(`rejects a workspace of type ${JSON.stringify(workspace_type)}`, async () => {
    const { text: before } = await alice.api.get('workspace/')
    const body = { name: 'W', description: '', workspace_type }
    const answer = await alice.api.post<Refusal>('workspace/', body, 400)
    assert.match(messageOf(answer), /workspace_type/)
    assert.equal((await alice.api.get('workspace/')).text, before)
  })
}

test('accepts an unchanged workspace_type, and rejects changes in both directions', async () => {
  const { body: list } = await alice.api.get<Workspace[]>('workspace/')
  assert.deepEqual([...new Set(list.map((one) => one.workspace_type))].sort(), [
    'primary',
    'secondary',
  ])
  for (const { api_id, workspace_type } of list) {
    const path = `workspace/${api_id}/`
    await alice.api.put(path, { workspace_type })
    const other = workspace_type === 'primary' ? 'secondary' : 'primary'
    await alice.api.put(path, { workspace_type: other }, 400)
    await alice.api.patch(path, { workspace_type: other }, 400)
    assert.equal((await alice.api.get<Workspace>(path)).body.workspace_type, workspace_type)
  }
})

test('accepts organization: null on create and update', async () => {
  const body = { name: 'Mine', description: '', organization: null }
  const { body: created } = await alice.api.post<Workspace>('workspace/', body)
  assert.equal(created.organization, null)
  const path = `workspace/${created.api_id}/`
  const { body: updated } = await alice.api.put<Workspace>(path, { ...body, name: 'Still mine' })
  assert.equal(updated.organization, null)
})

test('rejects an organization without permission', async () => {
  const organization = crypto.randomUUID()
  const { text: before } = await alice.api.get('workspace/')
  await alice.api.post('workspace/', { name: 'W', organization }, 400)
  const path = `workspace/${place.workspace.api_id}/`
  await alice.api.put(path, { organization }, 400)
  assert.equal((await alice.api.get('workspace/')).text, before)
})

test('renames the primary workspace', async () => {
  const carol = await signUp()
  const { body: list } = await carol.api.get<Workspace[]>('workspace/')
  const path = `workspace/${at(list, 0).api_id}/`
  const { body } = await carol.api.patch<Workspace>(path, { name: 'Lab book' })
  assert.equal(body.name, 'Lab book')
  assert.equal(body.workspace_type, 'primary')
})

test('rejects deleting the primary workspace', async () => {
  const carol = await signUp()
  const { body: list } = await carol.api.get<Workspace[]>('workspace/')
  await carol.api.delete(`workspace/${at(list, 0).api_id}/`, 409)
  assert.equal((await carol.api.get<Workspace[]>('workspace/')).body.length, 1)
})

test('an update with the current parent does not move the object', async () => {
  const { workspace, analysis, figure } = place
  await alice.api.put(`analysis/${analysis.api_id}/`, { workspace: workspace.api_id })
  await alice.api.put(`figure/${figure.api_id}/`, { analysis: analysis.api_id })
})

test('an update with another parent moves the object, and updates lists and sizes at once', async () => {
  const from = await newPlace(alice.api)
  const to = await newPlace(alice.api)
  const sizeOf = async (path: string) =>
    (await alice.api.get<{ size_bytes: number }>(path)).body.size_bytes
  await alice.api.post('revision/', {
    figure: from.figure.api_id,
    data: [{ name: 'a', type: 'text', data: Buffer.from('12345').toString('base64') }],
  })
  const figure = `figure/${from.figure.api_id}/`
  const { body: moved } = await alice.api.patch<{ analysis: string }>(figure, {
    analysis: to.analysis.api_id,
  })
  assert.equal(moved.analysis, to.analysis.api_id)
  assert.equal(await sizeOf(`workspace/${from.workspace.api_id}/`), 0)
  assert.equal(await sizeOf(`analysis/${to.analysis.api_id}/`), 5)

  const analysis = `analysis/${to.analysis.api_id}/`
  await alice.api.put(analysis, { workspace: from.workspace.api_id })
  const analysesOf = async ({ workspace }: Place) => {
    const { body } = await alice.api.get<Workspace>(`workspace/${workspace.api_id}/`)
    return (body.analyses ?? []).map((one) => one.api_id)
  }
  assert.deepEqual(await analysesOf(to), [])
  assert.ok((await analysesOf(from)).includes(to.analysis.api_id))
  assert.equal(await sizeOf(`workspace/${to.workspace.api_id}/`), 0)
  assert.equal(await sizeOf(`workspace/${from.workspace.api_id}/`), 5)
})

test('rejects an unknown parent and one of the wrong type on update', async () => {
  const path = `figure/${place.figure.api_id}/`
  const { text: before } = await alice.api.get(path)
  for (const analysis of [place.workspace.api_id, crypto.randomUUID(), 'x', 5]) {
    await alice.api.patch(path, { analysis }, 400)
  }
  assert.equal((await alice.api.get(path)).text, before)
})

test('allows equal names in one parent', async () => {
  const { api_id } = await newWorkspace(alice.api, 'Twins')
  await newWorkspace(alice.api, 'Twins')
  for (let i = 0; i < 2; i++) {
    await alice.api.post('analysis/', { name: 'Twins', workspace: api_id })
  }
  const { body } = await alice.api.get<Workspace>(`workspace/${api_id}/`)
  assert.equal(body.analyses?.length, 2)
})

function pathsOf({ workspace, analysis, figure }: Place): string[] {
  return [
    `workspace/${workspace.api_id}/`,
    `analysis/${analysis.api_id}/`,
    `figure/${figure.api_id}/`,
  ]
}
