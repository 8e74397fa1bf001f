import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Client, client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  code,
  image,
  newOrganization,
  newPlace,
  newWorkspace,
  type Place,
  publish,
} from '../src/publish.js'
import type { Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place
let revision: Revision
let paths: Record<'workspace' | 'analysis' | 'figure' | 'revision', string>

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  const data = [image(png(30, 20)), code(Buffer.from('plot()'))]
  revision = await publish(alice.api, place.figure.api_id, data, { metadata: { a: 1 } })
  paths = {
    workspace: `workspace/${place.workspace.api_id}/`,
    analysis: `analysis/${place.analysis.api_id}/`,
    figure: `figure/${place.figure.api_id}/`,
    revision: `revision/${revision.api_id}/`,
  }
})

const anybody = client(LATEST)

/** The readable paths of each object and its descendants. */
const reads = (kind: keyof typeof paths): string[] => {
  const ofRevision = [
    paths.revision,
    `${paths.revision}status/`,
    `${paths.revision}thumbnail/`,
    `${paths.revision}thumbnail/16/?dl=1`,
    ...(revision.data ?? []).map(({ api_id }) => `data/${api_id}/`),
  ]
  if (kind === 'revision') return ofRevision
  if (kind === 'figure') return [paths.figure, ...ofRevision]
  return [paths.analysis, paths.figure, ...ofRevision]
}

async function expectSame(reader: Client, kind: keyof typeof paths) {
  for (const path of reads(kind)) {
    const [seen, owned] = [await reader.get(path), await alice.api.get(path)]
    if (kind === 'revision' && path === paths.revision) {
      assert.equal(seen.text, withoutFigure(owned.text))
    } else assert.deepEqual(seen.bytes, owned.bytes, path)
  }
}

/** A revision as shown to users who may view only it: without the name of its figure. */
function withoutFigure(revision: string) {
  const { figure, ...body } = JSON.parse(revision)
  const hidden = { api_id: figure, name: '', description: null, analysis: null }
  return revision.replace(JSON.stringify(body.figure_metadata), JSON.stringify(hidden))
}

async function expectNoAccess(reader: Client, status: number) {
  for (const path of [paths.workspace, ...reads('analysis')]) await reader.get(path, status)
}

for (const kind of ['analysis', 'figure', 'revision'] as const) {
  test(`a shared ${kind} and its descendants are visible to the user at once, as to its owner`, async () => {
    const share = `${paths[kind]}share/user/`
    await expectNoAccess(bob.api, 403)
    assert.deepEqual((await alice.api.get(share)).body, [])
    const on = { username: bob.username, sharing_enabled: true }
    for (const _ of [1, 2]) {
      assert.deepEqual((await alice.api.post(share, on, 200)).body, on)
      assert.deepEqual((await alice.api.get(share)).body, [on])
      await expectSame(bob.api, kind)
    }
    await expectNoAccess(anybody, 401)
    await bob.api.get(paths.workspace, 403)
    if (kind !== 'analysis') await bob.api.get(paths.analysis, 403)
    await bob.api.put(paths[kind], { name: 'mine' }, 403)
    await bob.api.delete(paths[kind], 403)
    await bob.api.get(share, 403)
    await bob.api.post(share, on, 403)
    await bob.api.get(`${paths[kind]}share/link/`, 403)
    await bob.api.post(`${paths[kind]}share/link/`, { enabled: true }, 403)
    const off = { username: bob.username, sharing_enabled: false }
    for (const _ of [1, 2]) {
      assert.deepEqual((await alice.api.post(share, off, 200)).body, off)
      await expectNoAccess(bob.api, 403)
    }
    assert.deepEqual((await alice.api.get(share)).body, [])
  })

  test(`a ${kind} shared by link is visible without credentials while the link is enabled`, async () => {
    const share = `${paths[kind]}share/link/`
    assert.deepEqual((await alice.api.get(share)).body, { enabled: false })
    for (const _ of [1, 2]) {
      assert.deepEqual((await alice.api.post(share, { enabled: true }, 200)).body, {
        enabled: true,
      })
      assert.deepEqual((await alice.api.get(share)).body, { enabled: true })
      assert.deepEqual((await alice.api.get(`${paths[kind]}share/user/`)).body, [])
      for (const reader of [bob.api, anybody]) await expectSame(reader, kind)
    }
    await bob.api.get(`${paths[kind]}share/user/`, 403)
    await bob.api.get(share, 403)
    await anybody.get(share, 401)
    await anybody.delete(paths[kind], 401)
    await alice.api.post(share, { enabled: false }, 200)
    await expectNoAccess(anybody, 401)
    await expectNoAccess(bob.api, 403)
  })
}

for (const version of VERSIONS) {
  test(`${version}: returns link and user shares in the same form`, async () => {
    const me = alice.at(version)
    const { figure } = await newPlace(me)
    const on = { username: bob.username, sharing_enabled: true }
    await me.post(`figure/${figure.api_id}/share/user/`, on, 200)
    assert.deepEqual((await me.get(`figure/${figure.api_id}/share/user/`)).body, [on])
    await me.post(`figure/${figure.api_id}/share/link/`, { enabled: true }, 200)
    const path = `figure/${figure.api_id}/`
    assert.equal((await bob.at(version).get(path)).text, (await me.get(path)).text)
    assert.equal((await client(version).get(path)).text, (await me.get(path)).text)
  })
}

test('shared objects appear in the list of their type, but their workspaces do not', async () => {
  const { analysis, figure } = await newPlace(alice.api)
  const shared = await publish(alice.api, figure.api_id, [])
  const carol = await signUp()
  const on = { username: carol.username, sharing_enabled: true }
  await alice.api.post(`analysis/${analysis.api_id}/share/user/`, on, 200)
  const ids = async (list: string) =>
    (await carol.api.get<{ api_id: string }[]>(list)).body.map(({ api_id }) => api_id)
  assert.deepEqual(await ids('analysis/'), [analysis.api_id])
  assert.deepEqual(await ids('figure/'), [figure.api_id])
  assert.deepEqual(await ids('revision/'), [shared.api_id])
  const { body } = await carol.api.get<Workspace[]>('workspace/')
  assert.deepEqual(
    body.map(({ workspace_type }) => workspace_type),
    ['primary'],
  )
})

test('an organization can disable and enable links to its content', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const { workspace, figure } = await newPlace(alice.api)
  const path = `figure/${figure.api_id}/`
  await alice.api.post(`${path}share/link/`, { enabled: true }, 200)
  await alice.api.patch(`workspace/${workspace.api_id}/`, { organization })
  await anybody.get(path)
  const allow = (allow_link_sharing: boolean) =>
    alice.api.patch(`organization/${organization}/`, { allow_link_sharing })
  await allow(false)
  await anybody.get(path, 401)
  assert.deepEqual((await alice.api.get(`${path}share/link/`)).body, { enabled: false })
  const { body } = await alice.api.post<Refusal>(`${path}share/link/`, { enabled: true }, 403)
  assert.equal(body.error, 'link_sharing_not_allowed')
  await allow(true)
  await anybody.get(path)
})

test('rejects sharing of workspaces and organizations, after the 403 for missing permission', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  const { api_id: organization } = await newOrganization(alice.api)
  for (const on of [`workspace/${workspace}/`, `organization/${organization}/`]) {
    const body = { username: bob.username, sharing_enabled: true }
    await alice.api.get(`${on}share/user/`, 400)
    await alice.api.post(`${on}share/user/`, body, 400)
    await alice.api.get(`${on}share/link/`, 400)
    await alice.api.post(`${on}share/link/`, { enabled: true }, 400)
    await bob.api.post(`${on}share/link/`, { enabled: 5 }, 403)
    await bob.api.get(on, 403)
  }
})

test('rejects invalid shares and unknown users with the member, after a missing permission', async () => {
  const share = `${paths.figure}share/`
  const on = { username: bob.username, sharing_enabled: true }
  const cases: [string, string, object][] = [
    ['user/', 'username', { sharing_enabled: true }],
    ['user/', 'username', { ...on, username: 'nobody-has-this-name' }],
    ['user/', 'username', { username: 'nobody-has-this-name', sharing_enabled: false }],
    ['user/', 'sharing_enabled', { username: bob.username }],
    ['user/', 'sharing_enabled', { ...on, sharing_enabled: 'yes' }],
    ['link/', 'enabled', {}],
    ['link/', 'enabled', { enabled: 1 }],
  ]
  for (const [route, member, body] of cases) {
    const { body: refusal } = await alice.api.post<Refusal>(share + route, body, 400)
    assert.match(refusal.detail ?? '', new RegExp(`^${member}:`))
    await bob.api.post(share + route, body, 403)
    await anybody.post(share + route, body, 401)
  }
  assert.deepEqual((await alice.api.get(`${share}user/`)).body, [])
  await alice.api.get(`figure/${crypto.randomUUID()}/share/user/`, 404)
  await anybody.get(`figure/${crypto.randomUUID()}/share/user/`, 401)
})
