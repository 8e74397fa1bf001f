import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiKey, accesses, callerWith, type NewApiKey, newApiKey } from '../src/api-keys.js'
import {
  type Answer,
  type Client,
  client,
  type Either,
  either,
  messageOf,
  type Refusal,
} from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { follow, isAbout } from '../src/event-stream.js'
import { figbaseOf } from '../src/figbase.js'
import {
  file,
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newOrganization,
  newPlace,
  newRevision,
  newWorkspace,
  publish,
  snapshot,
} from '../src/publish.js'
import type { Core, Figure, User } from '../src/resources.js'
import { newUpload, tus } from '../src/uploads.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
before(async () => {
  ;[alice, bob] = [await signUp(), await signUp()]
})

const idsOf = async (api: Client, path: string) =>
  (await api.get<Core[]>(path)).body.map(({ api_id }) => api_id)

/** Checks the 401 for a key: with `token_not_valid`, clients would refresh in an endless loop. */
async function expectRejectedKey(api: Client, path = 'workspace/') {
  const { body } = await api.get<Refusal>(path, 401)
  assert.deepEqual([body.error, body.code], ['authentication_failed', 'authentication_failed'])
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

for (const version of VERSIONS) {
  test(`${version}: creates, lists, reads and deletes a key, and shows its token once`, async () => {
    const me = (await signUp()).at(version)
    const { api_id: workspace } = await newWorkspace(me)
    const expiry = '2036-01-02T03:04:05.000006Z'
    const made = await newApiKey(me, { name: 'CI', workspace, expiry })
    const { token, user, ...shown } = made
    assert.equal(typeof token, 'string')
    assert.equal(user, (await me.get<User[]>('user/')).body[0]?.username)
    assert.deepEqual(shown, {
      api_id: made.api_id,
      name: 'CI',
      created: made.created,
      last_used: null,
      expiry,
      workspace,
      access: 'full',
    })
    assert.ok(Math.abs(Date.parse(made.created) - Date.now()) < 60_000)
    const other = await newApiKey(me)
    assert.deepEqual([other.expiry, other.workspace], [null, null])

    const listed = { ...shown, token: null }
    const { body } = await me.get<ApiKey[]>('api_key/')
    assert.deepEqual(body[0], listed)
    assert.deepEqual(
      body.map(({ api_id, token }) => [api_id, token]),
      [
        [made.api_id, null],
        [other.api_id, null],
      ],
    )
    assert.deepEqual((await me.get(`api_key/${made.api_id}/`)).body, listed)
    await me.delete(`api_key/${made.api_id}/`)
    await me.get(`api_key/${made.api_id}/`, 404)
    await me.delete(`api_key/${made.api_id}/`, 404)
  })
}

test("a user cannot list, read or delete another user's key", async () => {
  const { api_id } = await newApiKey(alice.api)
  assert.ok(!(await idsOf(bob.api, 'api_key/')).includes(api_id))
  await bob.api.get(`api_key/${api_id}/`, 404)
  await bob.api.delete(`api_key/${api_id}/`, 404)
  await alice.api.get(`api_key/${api_id}/`)
})

test('accepts the expiry formats of clients, and rejects invalid members', async () => {
  for (const [sent, expiry] of [
    ['2036-01-02 03:04:05', '2036-01-02T03:04:05.000000Z'],
    ['2036-01-02 03:04:05.123456+02:00', '2036-01-02T01:04:05.123456Z'],
    ['2036-01-02T03:04:05-05:30', '2036-01-02T08:34:05.000000Z'],
  ]) {
    assert.equal((await newApiKey(alice.api, { expiry: sent })).expiry, expiry)
  }
  await newApiKey(alice.api, { name: 'taken', workspace: null, expiry: null })
  for (const [field, body] of [
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 7 }],
    ['name', { name: 'taken' }],
    ['expiry', { name: 'a', expiry: '2020-01-01T00:00:00Z' }],
    ['expiry', { name: 'b', expiry: minutesFromNow(-1).replace('Z', '') }],
    ['expiry', { name: 'c', expiry: 'tomorrow' }],
    ['access', { name: 'a', access: 'write' }],
    ['access', { name: 'a', access: 7 }],
    ['workspace', { name: 'd', workspace: 'x' }],
    ['workspace', { name: 'e', workspace: crypto.randomUUID() }],
  ] as const) {
    const answer = await alice.api.post<Refusal>('api_key/', body, 400)
    assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`))
  }
  await newApiKey(bob.api, { name: 'taken' })
})

test('a key authenticates its owner, also if it is limited to a workspace', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  for (const more of [{}, { workspace }]) {
    for (const version of VERSIONS) {
      const me = callerWith(await newApiKey(alice.api, more), version)
      const { body } = await me.get<User[]>('user/')
      assert.deepEqual(body, (await alice.at(version).get('user/')).body)
      assert.deepEqual(body[0], (await me.get(`user/${alice.username}/`)).body)
      assert.equal((await me.get<{ user: User }>('bootstrap/')).body.user.username, alice.username)
      await me.get('info/')
    }
  }
})

test('a key cannot create or delete keys', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  for (const more of [{}, { workspace }]) {
    const made = await newApiKey(alice.api, more)
    const me = callerWith(made)
    await me.post('api_key/', { name: 'another' }, 403)
    await me.delete(`api_key/${made.api_id}/`, 403)
    assert.equal((await me.get<ApiKey>(`api_key/${made.api_id}/`)).body.token, null)
  }
})

test('rejects a deleted key at once, and an expired key from that second on', async () => {
  const deleted = await newApiKey(alice.api)
  await callerWith(deleted).get('workspace/')
  await alice.api.delete(`api_key/${deleted.api_id}/`)
  await expectRejectedKey(callerWith(deleted))

  const expiry = Date.now() + 1500
  const expiring = await newApiKey(alice.api, { expiry: new Date(expiry).toISOString() })
  const me = callerWith(expiring)
  await me.get('workspace/')
  await delay(expiry + 50 - Date.now())
  await expectRejectedKey(me)
  await expectRejectedKey(me, 'user/')
  await expectRejectedKey(me, `figure/${crypto.randomUUID()}/`)
})

test('rejects invalid keys', async () => {
  const { token } = await newApiKey(alice.api)
  const last = token.endsWith('0') ? '1' : '0'
  for (const text of ['x', token.slice(0, -1) + last, alice.tokens.access]) {
    await expectRejectedKey(client(LATEST, `Token ${text}`))
  }
  const { body } = await client(LATEST, `Bearer ${token}`).get<Refusal>('workspace/', 401)
  assert.equal(body.code, 'token_not_valid')
  await client(LATEST, `token ${token}`).get('workspace/')
})

test('returns the time of last use', async () => {
  const made = await newApiKey(alice.api)
  const me = callerWith(made)
  const began = Date.now()
  let used: string | null = null
  for (let tries = 0; used === null && tries < 100; tries++) {
    used = (await me.get<ApiKey>(`api_key/${made.api_id}/`)).body.last_used
    if (used === null) await delay(50)
  }
  assert.ok(used && Math.abs(Date.parse(used) - began) < 60_000)
  assert.equal((await me.get<ApiKey>(`api_key/${made.api_id}/`)).body.last_used, used)
})

test('a key limited to a workspace cannot access other workspaces of its owner', async () => {
  const [here, elsewhere] = [await newPlace(alice.api), await newPlace(alice.api)]
  const organization = await newOrganization(alice.api)
  const me = callerWith(await newApiKey(alice.api, { workspace: here.workspace.api_id }))

  assert.deepEqual(await idsOf(me, 'workspace/'), [here.workspace.api_id])
  assert.deepEqual(await idsOf(me, 'figure/'), [here.figure.api_id])
  assert.deepEqual(await idsOf(me, 'organization/'), [])
  for (const kind of ['workspace', 'analysis', 'figure'] as const) {
    await me.get(`${kind}/${here[kind].api_id}/`)
    await me.get(`${kind}/${elsewhere[kind].api_id}/`, 403)
    await me.patch(`${kind}/${elsewhere[kind].api_id}/`, { name: 'Mine' }, 403)
    await alice.api.get(`${kind}/${elsewhere[kind].api_id}/`)
  }
  await me.get(`organization/${organization.api_id}/`, 403)
  await newFigure(me, here.analysis.api_id)
  const figure = { name: 'Elsewhere', analysis: elsewhere.analysis.api_id }
  await me.post('figure/', figure, 403)
  await me.post('workspace/', { name: 'Another' }, 403)
  await me.post('organization/', { name: 'Another' }, 403)
  const upload = { figure: elsewhere.figure.api_id, data: [] }
  await me.post('revision/', upload, 403)
  const { body } = await me.post<Core>('revision/', { ...upload, figure: here.figure.api_id })
  await me.get(`revision/${body.api_id}/`)
})

test('an unlimited key has the permissions of its owner', async () => {
  const me = callerWith(await newApiKey(alice.api))
  assert.deepEqual(await idsOf(me, 'workspace/'), await idsOf(alice.api, 'workspace/'))
  const { figure } = await newPlace(me)
  await alice.api.get(`figure/${figure.api_id}/`)
})

test("a key limited to somebody else's workspace is deleted with the membership", async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const scope = { workspace: workspace.api_id }
  const refused = await bob.api.post<Refusal>('api_key/', { name: 'early', ...scope }, 400)
  assert.match(messageOf(refused), /workspace/)

  const path = `workspace/${workspace.api_id}/`
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`${path}members/add/`, member, 200)
  const made: NewApiKey = await newApiKey(bob.api, scope)
  const me = callerWith(made)
  await newFigure(me, figure.analysis)
  assert.deepEqual(await idsOf(me, 'workspace/'), [workspace.api_id])

  await alice.api.post(`${path}members/remove/`, member, 200)
  await me.get(path, 403)
  await me.get(`figure/${figure.api_id}/`, 403)
  await me.post('figure/', { name: 'TimedOut', analysis: figure.analysis }, 403)
  assert.deepEqual(await idsOf(me, 'workspace/'), [])
  await me.get('user/')
})

test('a key limited to a workspace ends with the organization membership and with the workspace', async () => {
  const organization = (await newOrganization(alice.api)).api_id
  const { api_id: workspace } = await newWorkspace(alice.api, 'Shared', organization)
  const member = { username: bob.username, membership_type: 'workspace_creator' }
  const members = `organization/${organization}/members`
  await alice.api.post(`${members}/add/`, member, 200)
  const me = callerWith(await newApiKey(bob.api, { workspace }))
  const own = callerWith(await newApiKey(alice.api, { workspace }))
  assert.deepEqual(await idsOf(me, 'workspace/'), [workspace])
  await me.post('analysis/', { name: 'Early', workspace })
  await alice.api.post(`${members}/remove/`, member, 200)
  await me.get(`workspace/${workspace}/`, 403)
  await me.post('analysis/', { name: 'TimedOut', workspace }, 403)
  assert.deepEqual(await idsOf(me, 'workspace/'), [])

  await own.post('analysis/', { name: 'Last', workspace })
  await alice.api.delete(`workspace/${workspace}/`)
  await own.get(`workspace/${workspace}/`, 404)
  await own.post('analysis/', { name: 'After', workspace }, 400)
  for (const path of ['workspace/', 'analysis/', 'figure/', 'organization/']) {
    assert.deepEqual(await idsOf(own, path), [])
  }
  const body = { name: 'never', workspace }
  const refused = await alice.api.post<Refusal>('api_key/', body, 400)
  assert.match(messageOf(refused), /workspace/)
})

test('supports concurrent use of a key, and rejects it for all once it is deleted', async () => {
  const made = await newApiKey(alice.api)
  const me = callerWith(made)
  const asked = async (status: number | Either) =>
    (await Promise.all(Array.from({ length: 8 }, () => me.get('workspace/', status)))).map(
      (answer) => answer.status,
    )
  assert.ok((await asked(200)).every((status) => status === 200))
  const [during] = await Promise.all([
    asked(either('before or after the delete', 200, 401)),
    alice.api.delete(`api_key/${made.api_id}/`),
  ])
  assert.equal(during.length, 8)
  assert.ok((await asked(401)).every((status) => status === 401))
})

test('a key of a member can list the members', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  const { api_id: other } = await newWorkspace(alice.api)
  for (const more of [{}, { workspace }]) {
    const me = callerWith(await newApiKey(alice.api, more))
    const { body } = await me.get<{ username: string }[]>(`workspace/${workspace}/members/`)
    assert.deepEqual(
      body.map(({ username }) => username),
      [alice.username],
    )
    await me.get(`workspace/${other}/members/`, more.workspace ? 403 : 200)
  }
})

test('a key receives events, a limited key only those of its workspace', async () => {
  const [here, elsewhere] = [await newPlace(alice.api), await newPlace(alice.api)]
  const made = await newApiKey(alice.api, { workspace: here.workspace.api_id })
  await using stream = await follow(figbaseOf({ apiKey: made.token }))
  const hidden = await newFigure(alice.api, elsewhere.analysis.api_id)
  const shown = await newFigure(alice.api, here.analysis.api_id)
  await stream.until(isAbout(shown.api_id))
  assert.ok(!JSON.stringify(stream.seen).includes(hidden.api_id))
})

/** Checks the 403 for a key: it names its access and the required one, never a code on which clients refresh. */
async function expectInsufficientAccess(answer: Promise<Answer<Refusal>>, pattern: RegExp) {
  const { body } = await answer
  assert.equal(body.error, 'insufficient_key_access')
  assert.match(body.detail ?? '', pattern)
  assert.notEqual(body.code, 'token_not_valid')
}

test('a read key cannot change anything, and finds what its owner finds', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const me = callerWith(await newApiKey(alice.api, { access: 'read' }))
  const onlyReads = /may only read: use one with access publish or full/
  const body = { name: 'Mine', analysis: analysis.api_id }
  await expectInsufficientAccess(me.post('figure/', body, 403), onlyReads)
  await expectInsufficientAccess(
    me.patch(`figure/${figure.api_id}/`, { name: 'Mine' }, 403),
    onlyReads,
  )
  await expectInsufficientAccess(
    me.post('revision/', { figure: figure.api_id, data: [] }, 403),
    onlyReads,
  )
  const deleted = me.delete(`workspace/${workspace.api_id}/`, 403)
  await expectInsufficientAccess(deleted, /may only read: use one with access full/)
  const { body: found } = await me.get<Figure>(`figure/${figure.api_id}/`)
  assert.equal(found.name, figure.name)
  await me.post('asset/find_by_name/', { name: 'none', workspace: workspace.api_id }, 200)
  // Only managers may list the users with whom a workspace is shared.
  await me.get(`workspace/${workspace.api_id}/invitations/`)
})

test('a publish key can create and update, but not delete, move, share or manage', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const organization = (await newOrganization(alice.api)).api_id
  const scope = { workspace: workspace.api_id }
  for (const more of [{}, scope]) {
    const me = callerWith(await newApiKey(alice.api, { access: 'publish', ...more }))
    const made = await newFigure(me, analysis.api_id)
    const revision = await publish(me, made.api_id, [file(Buffer.from('1,2'))])
    await me.patch(`workspace/${workspace.api_id}/`, { name: 'Named' })
    const other = await newAnalysis(me, workspace.api_id)
    const upload = await newUpload(me, { figure: made.api_id }, 1)
    await me.request('DELETE', upload, { headers: tus, status: 204 })

    const before = await snapshot(alice.api, { workspace, analysis, figure })
    const onlyPublishes = /may only read, create and update: use one with access full/
    const figurePath = `figure/${made.api_id}/`
    const workspacePath = `workspace/${workspace.api_id}/`
    const member = { username: bob.username, membership_type: 'viewer' }
    for (const answer of [
      me.delete(`revision/${revision.api_id}/`, 403),
      me.delete(figurePath, 403),
      me.delete(workspacePath, 403),
      me.patch<Refusal>(figurePath, { name: 'Moved', analysis: other.api_id }, 403),
      me.post<Refusal>(`${figurePath}share/link/`, { enabled: true }, 403),
      me.post<Refusal>(`${workspacePath}members/add/`, member, 403),
      me.post<Refusal>(`${workspacePath}storage/`, { vendor: 'GoFigr.io' }, 403),
    ]) {
      await expectInsufficientAccess(answer, onlyPublishes)
    }
    assert.deepEqual(await snapshot(alice.api, { workspace, analysis, figure }), before)
  }
  const me = callerWith(await newApiKey(alice.api, { access: 'publish' }))
  const governing = /use one with access full/
  await expectInsufficientAccess(
    me.patch(`organization/${organization}/`, { name: 'Mine' }, 403),
    governing,
  )
  const joining = me.patch<Refusal>(`workspace/${workspace.api_id}/`, { organization }, 403)
  await expectInsufficientAccess(joining, governing)
})

test('a publish key can unlink a figure, but not delete it thereby', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  const { api_id: asset_revision } = await newAssetRevision(alice.api, asset.api_id)
  const { api_id: figure_revision } = await newRevision(alice.api, figure.api_id)
  const revisionPath = `revision/${figure_revision}/`
  await alice.api.patch(revisionPath, { assets: [{ asset_revision }] })
  const me = callerWith(await newApiKey(alice.api, { access: 'publish' }))
  const unlink = (more: object, status: number) =>
    me.post<Refusal>(
      `asset_revision/${asset_revision}/unlink_figure/`,
      { figure_revision, ...more },
      status,
    )
  const before = (await alice.api.get(revisionPath)).body
  await expectInsufficientAccess(
    unlink({ delete_figure_revision: true }, 403),
    /use one with access full/,
  )
  assert.deepEqual((await alice.api.get(revisionPath)).body, before)
  await unlink({}, 200)
})

test('shows the access of a key to its owner, also in the account export', async () => {
  const me = await signUp()
  for (const access of accesses) await newApiKey(me.api, { name: access, access })
  const named = (keys: ApiKey[]) => keys.map(({ name, access }) => [name, access])
  const expected = accesses.map((access) => [access, access])
  const { body: listed } = await me.api.get<ApiKey[]>('api_key/')
  assert.deepEqual(named(listed), expected)
  const path = `user/${me.username}/export/`
  const { body } = await me.api.get<{ api_keys: ApiKey[] }>(path)
  assert.deepEqual(named(body.api_keys), expected)
})
