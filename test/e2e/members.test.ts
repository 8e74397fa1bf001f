import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Client, client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { newAnalysis, newOrganization, newPlace, newWorkspace } from '../src/publish.js'
import type { Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let carol: TestUser
before(async () => {
  ;[alice, bob, carol] = [await signUp(), await signUp(), await signUp()]
})

interface Member {
  username: string
  membership_type: string | null
}

const membershipSegments = {
  workspace: { make: newWorkspace, first: 'owner', manager: 'admin', other: 'viewer' },
  organization: {
    make: newOrganization,
    first: 'org_admin',
    manager: 'org_admin',
    other: 'workspace_viewer',
  },
} as const

const membershipTypes = {
  workspace: ['admin', 'creator', 'viewer'],
  organization: ['org_admin', 'workspace_admin', 'workspace_creator', 'workspace_viewer'],
} as const

for (const segment of ['workspace', 'organization'] as const) {
  const { make, first, other, manager } = membershipSegments[segment]
  const at = (id: string, action = '') => `${segment}/${id}/members/${action}`
  const listed = async (api: Client, id: string) => (await api.get<Member[]>(at(id))).body

  for (const version of VERSIONS) {
    test(`${version}: adds, changes and removes members of a ${segment}`, async () => {
      const me = alice.at(version)
      const { api_id: id } = await make(me)
      const mine = { username: alice.username, membership_type: first }
      assert.deepEqual(await listed(me, id), [mine])
      for (const membership_type of membershipTypes[segment]) {
        const body = { username: bob.username, membership_type }
        const { body: added } = await me.post<Member>(at(id, 'add/'), body, 200)
        assert.deepEqual(added, body)
        assert.deepEqual(await listed(me, id), [mine, body])
        const changed = { ...body, membership_type: other }
        assert.deepEqual((await me.post<Member>(at(id, 'change/'), changed, 200)).body, changed)
        assert.deepEqual(await listed(me, id), [mine, changed])
        const gone = { username: bob.username, membership_type: null }
        assert.deepEqual((await me.post<Member>(at(id, 'remove/'), gone, 200)).body, gone)
        assert.deepEqual(await listed(me, id), [mine])
      }
    })
  }

  test(`${segment}: sends 400 with the member for invalid changes, and changes nothing`, async () => {
    const { api_id: id } = await make(alice.api)
    const { username } = bob
    await alice.api.post(at(id, 'add/'), { username, membership_type: other }, 200)
    const before = await listed(alice.api, id)
    const cases: [string, object][] = [
      ['membership_type', { username, membership_type: 'emperor' }],
      ['membership_type', { username, membership_type: null }],
      ['membership_type', { username }],
      ['membership_type', { username, membership_type: 'owner' }],
      ['username', { membership_type: other }],
      ['username', { username: 5, membership_type: other }],
      ['username', { username: 'nobody-has-this-name', membership_type: other }],
    ]
    for (const [member, body] of cases) {
      for (const action of ['add/', 'change/']) {
        const { body: refusal } = await alice.api.post<Refusal>(at(id, action), body, 400)
        assert.match(refusal.detail ?? '', new RegExp(`^${member}:`))
      }
    }
    await alice.api.post(at(id, 'add/'), { username, membership_type: other }, 409)
    const me = { username: alice.username, membership_type: other }
    await alice.api.post(at(id, 'change/'), me, 400)
    await alice.api.post(at(id, 'remove/'), me, 400)
    await alice.api.post(at(id, 'remove/'), { username: carol.username }, 400)
    assert.deepEqual(await listed(alice.api, id), before)
  })

  test(`${segment}: sends 403 to users without permission and 401 to anonymous users, also for an invalid body`, async () => {
    const { api_id: id } = await make(alice.api)
    await alice.api.post(at(id, 'add/'), { username: bob.username, membership_type: other }, 200)
    const before = await listed(alice.api, id)
    for (const action of ['add/', 'change/', 'remove/']) {
      for (const body of [
        { username: carol.username, membership_type: other },
        { username: 5 },
        {},
      ]) {
        await bob.api.post(at(id, action), body, 403)
        await carol.api.post(at(id, action), body, 403)
        await client(LATEST).post(at(id, action), body, 401)
      }
      await alice.api.post(at(crypto.randomUUID(), action), {}, 404)
    }
    await carol.api.get(at(id), 403)
    await client(LATEST).get(at(id), 401)
    assert.deepEqual(await listed(alice.api, id), before)
  })

  test(`${segment}: managers can reduce their own role, and lose the permission`, async () => {
    const { api_id: id } = await make(alice.api)
    const body = { username: bob.username, membership_type: manager }
    await alice.api.post(at(id, 'add/'), body, 200)
    await bob.api.post(at(id, 'change/'), { ...body, membership_type: other }, 200)
    await bob.api.post(at(id, 'change/'), body, 403)
  })
}

test('a member sees the same as the owner, and loses access at once when removed', async () => {
  const place = await newPlace(alice.api)
  const members = `workspace/${place.workspace.api_id}/members/`
  const { username } = bob
  const paths = [
    `workspace/${place.workspace.api_id}/`,
    `analysis/${place.analysis.api_id}/`,
    `figure/${place.figure.api_id}/`,
  ]
  for (const path of paths) await bob.api.get(path, 403)
  await alice.api.post(`${members}add/`, { username, membership_type: 'viewer' }, 200)
  for (const path of paths) {
    assert.equal((await bob.api.get(path)).text, (await alice.api.get(path)).text)
    await bob.api.patch(path, { name: 'x' }, 403)
  }
  const lists = async () => (await bob.api.get<Workspace[]>('workspace/')).body
  assert.ok((await lists()).some(({ api_id }) => api_id === place.workspace.api_id))
  await alice.api.post(`${members}change/`, { username, membership_type: 'creator' }, 200)
  await newAnalysis(bob.api, place.workspace.api_id)
  await alice.api.post(`${members}remove/`, { username }, 200)
  for (const path of paths) await bob.api.get(path, 403)
  assert.ok(!(await lists()).some(({ api_id }) => api_id === place.workspace.api_id))
})

test('members of an organization can access its workspaces, but no others of their owners', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const members = `organization/${organization}/members/`
  const add = (person: TestUser, membership_type: string) =>
    alice.api.post(`${members}add/`, { username: person.username, membership_type }, 200)
  await add(bob, 'workspace_creator')
  await add(carol, 'org_admin')
  const own = await newWorkspace(bob.api, 'Own', organization)
  const outside = await newWorkspace(bob.api, 'Outside')
  const path = `workspace/${own.api_id}/`
  assert.equal((await carol.api.get(path)).text, (await bob.api.get(path)).text)
  await newAnalysis(carol.api, own.api_id)
  await carol.api.get(`workspace/${outside.api_id}/`, 403)
  const { body: list } = await carol.api.get<Workspace[]>('workspace/')
  const ids = list.map(({ api_id }) => api_id)
  assert.deepEqual([ids.includes(own.api_id), ids.includes(outside.api_id)], [true, false])
  await bob.api.post(
    `${members}change/`,
    { username: carol.username, membership_type: 'org_admin' },
    403,
  )
  await alice.api.post(`${members}remove/`, { username: bob.username }, 200)
  await bob.api.get(`organization/${organization}/`, 403)
  await bob.api.patch(path, { name: 'still mine' })
  await carol.api.delete(path)
})
