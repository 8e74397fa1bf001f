import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  at,
  base64,
  file,
  newAnalysis,
  newOrganization,
  newPlace,
  newWorkspace,
  publish,
} from '../src/publish.js'
import type { Organization, Workspace } from '../src/resources.js'
import { assertShape, SHAPES } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser

before(async () => {
  alice = await signUp()
  bob = await signUp()
})

for (const version of VERSIONS) {
  test(`${version}: create, PUT, PATCH, GET and the list return the same organization`, async () => {
    const me = (await signUp()).at(version)
    assert.deepEqual((await me.get<Organization[]>('organization/')).body, [])
    const body = { name: 'Institute', description: '' }
    const { body: created } = await me.post<Organization>('organization/', body)
    assertShape(created, SHAPES.organization, 'organization')
    assert.equal(created.entity_type, 'organization')
    assert.deepEqual([created.description, created.workspaces, created.logo], ['', [], null])
    const path = `organization/${created.api_id}/`
    await newWorkspace(me, 'W', created.api_id)
    const { body: read } = await me.get<Organization>(path)
    assert.deepEqual((await me.get<Organization[]>('organization/')).body, [read])
    const nested = at(read.workspaces, 0)
    assertShape(nested, SHAPES.workspaceInList, 'organization.workspaces[0]')
    assert.equal(nested.organization, created.api_id)
    for (const method of ['PUT', 'PATCH']) {
      const { body: saved } = await me.request<Organization>(method, path, {
        json: read,
        status: 200,
      })
      assert.deepEqual(Object.keys(saved), Object.keys(read))
      assert.deepEqual(saved.workspaces, read.workspaces)
    }
    await me.delete(path, 204)
    await me.get(path, 404)
  })
}

test('stores logo and flags, keeps them if omitted, and removes the logo with null', async () => {
  const logo = base64(png(8, 8))
  const more = { logo, allow_link_sharing: false, allow_per_workspace_storage_settings: true }
  const body = { name: 'O', ...more }
  const { body: created } = await alice.api.post<Organization>('organization/', body)
  const path = `organization/${created.api_id}/`
  const shown = ({
    logo,
    allow_link_sharing,
    allow_per_workspace_storage_settings,
  }: Organization) => ({ logo, allow_link_sharing, allow_per_workspace_storage_settings })
  assert.deepEqual(shown(created), more)
  const { body: renamed } = await alice.api.put<Organization>(path, { name: 'P' })
  assert.deepEqual([renamed.name, shown(renamed)], ['P', more])
  const { body: bare } = await alice.api.patch<Organization>(path, { logo: null })
  assert.deepEqual(shown(bare), { ...more, logo: null })
})

test('rejects invalid organizations with the member, and creates nothing', async () => {
  const before = (await alice.api.get('organization/')).text
  const cases: [string, Record<string, unknown>][] = [
    ['name', { name: '' }],
    ['name', {}],
    ['description', { name: 'O', description: 5 }],
    ['logo', { name: 'O', logo: 5 }],
    ['logo', { name: 'O', logo: '§' }],
    ['logo', { name: 'O', logo: base64(Buffer.from('no picture')) }],
    ['logo', { name: 'O', logo: `data:image/png;base64,${base64(png(1, 1))}` }],
    ['allow_link_sharing', { name: 'O', allow_link_sharing: 'yes' }],
  ]
  for (const [member, body] of cases) {
    const { body: refusal } = await alice.api.post<Refusal>('organization/', body, 400)
    assert.match(refusal.detail ?? '', new RegExp(`^${member}:`))
  }
  assert.equal((await alice.api.get('organization/')).text, before)
})

test('creates a workspace in an organization, assigns it, and detaches it with null', async () => {
  const organization = await newOrganization(alice.api)
  const path = `organization/${organization.api_id}/`
  const workspaces = async () =>
    (await alice.api.get<Organization>(path)).body.workspaces?.map(({ api_id }) => api_id)
  const old = await newWorkspace(alice.api)
  const made = await newWorkspace(alice.api, 'Inside', organization.api_id)
  assert.equal(made.organization, organization.api_id)
  const ofOld = `workspace/${old.api_id}/`
  const into = { organization: organization.api_id }
  const { body: assigned } = await alice.api.patch<Workspace>(ofOld, into)
  assert.equal(assigned.organization, organization.api_id)
  assert.deepEqual(await workspaces(), [made.api_id, old.api_id])
  await alice.api.put(ofOld, { name: 'Renamed' })
  assert.deepEqual(
    await workspaces(),
    [made.api_id, old.api_id],
    'an omitted organization should be kept',
  )
  const { body: detached } = await alice.api.put<Workspace>(ofOld, { organization: null })
  assert.equal(detached.organization, null)
  assert.deepEqual(await workspaces(), [made.api_id])
})

test('the primary workspace can join and leave an organization, and stays primary', async () => {
  const organization = await newOrganization(bob.api)
  const { body: list } = await bob.api.get<Workspace[]>('workspace/')
  const primary = at(list, 0)
  const path = `workspace/${primary.api_id}/`
  const body = { ...primary, organization: organization.api_id }
  const { body: inside } = await bob.api.put<Workspace>(path, body)
  const { workspace_type } = inside
  assert.deepEqual([inside.organization, workspace_type], [organization.api_id, 'primary'])
  assert.equal((await bob.api.put<Workspace>(path, primary)).body.organization, null)
})

test('sends 403 for an organization without permission, also as parent of a workspace', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const path = `organization/${organization}/`
  const mine = await newWorkspace(bob.api)
  for (const name of ['W', '', 5]) {
    await bob.api.post('workspace/', { name, organization }, 403)
    await bob.api.put(path, { name }, 403)
    await bob.api.patch(path, { name }, 403)
  }
  await bob.api.put(`workspace/${mine.api_id}/`, { organization }, 403)
  await bob.api.get(path, 403)
  await bob.api.delete(path, 403)
  const anybody = client(LATEST)
  for (const id of [organization, crypto.randomUUID()]) {
    await anybody.get(`organization/${id}/`, 401)
    await anybody.delete(`organization/${id}/`, 401)
  }
  await anybody.post('organization/', { name: 'O' }, 401)
  await anybody.get('organization/', 401)
  await bob.api.get(`organization/${crypto.randomUUID()}/`, 404)
  const { body } = await bob.api.get<Organization[]>('organization/')
  assert.ok(body.every(({ api_id }) => api_id !== organization))
})

test('deleting an organization keeps its workspaces and their content', async () => {
  const organization = await newOrganization(alice.api)
  const place = await newPlace(alice.api)
  await publish(alice.api, place.figure.api_id, [file(Buffer.from('12345'))])
  const path = `workspace/${place.workspace.api_id}/`
  await alice.api.patch(path, { organization: organization.api_id })
  const ofOrganization = `organization/${organization.api_id}/`
  const { body: full } = await alice.api.get<Organization>(ofOrganization)
  assert.equal(full.size_bytes, 5)
  await alice.api.delete(ofOrganization)
  const { body } = await alice.api.get<Workspace>(path)
  assert.deepEqual([body.organization, body.size_bytes], [null, 5])
  assert.equal(body.analyses?.length, 1)
  await newAnalysis(alice.api, place.workspace.api_id)
})
