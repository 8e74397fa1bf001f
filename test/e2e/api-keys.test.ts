import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiKey, callerWith, type NewApiKey, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { openEvents } from '../src/event-stream.js'
import { type Person, signUp } from '../src/people.js'
import { newFigure, newOrganization, newPlace, newWorkspace } from '../src/publish.js'
import type { Core, User } from '../src/resources.js'

let alice: Person
let bob: Person
before(async () => {
  ;[alice, bob] = [await signUp(), await signUp()]
})

const idsOf = async (api: Client, path: string) =>
  (await api.get<Core[]>(path)).body.map(({ api_id }) => api_id)

/** A 401 of a key: one with `token_not_valid` would send clients into an endless loop. */
async function refusedKey(api: Client, path = 'workspace/') {
  const { body } = await api.get<Refusal>(path, 401)
  assert.deepEqual([body.error, body.code], ['authentication_failed', 'authentication_failed'])
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

for (const version of VERSIONS) {
  test(`${version}: a key is made, listed, read and deleted; its token is shown once`, async () => {
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

test("another user's key is neither listed, nor read, nor deleted", async () => {
  const { api_id } = await newApiKey(alice.api)
  assert.ok(!(await idsOf(bob.api, 'api_key/')).includes(api_id))
  await bob.api.get(`api_key/${api_id}/`, 404)
  await bob.api.delete(`api_key/${api_id}/`, 404)
  await alice.api.get(`api_key/${api_id}/`)
})

test('a key is made with the times that clients send, and with what fits only', async () => {
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
    ['workspace', { name: 'd', workspace: 'x' }],
    ['workspace', { name: 'e', workspace: crypto.randomUUID() }],
  ] as const) {
    const answer = await alice.api.post<Refusal>('api_key/', body, 400)
    assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`))
  }
  await newApiKey(bob.api, { name: 'taken' })
})

test('a key signs its owner in, as the first of `user/` says; for a workspace too', async () => {
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

test('a key makes and deletes no keys', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  for (const more of [{}, { workspace }]) {
    const made = await newApiKey(alice.api, more)
    const me = callerWith(made)
    await me.post('api_key/', { name: 'another' }, 403)
    await me.delete(`api_key/${made.api_id}/`, 403)
    assert.equal((await me.get<ApiKey>(`api_key/${made.api_id}/`)).body.token, null)
  }
})

test('a deleted key is refused by the next call, an expired one from that second on', async () => {
  const deleted = await newApiKey(alice.api)
  await callerWith(deleted).get('workspace/')
  await alice.api.delete(`api_key/${deleted.api_id}/`)
  await refusedKey(callerWith(deleted))

  const expiry = Date.now() + 1500
  const expiring = await newApiKey(alice.api, { expiry: new Date(expiry).toISOString() })
  const me = callerWith(expiring)
  await me.get('workspace/')
  await delay(expiry + 50 - Date.now())
  await refusedKey(me)
  await refusedKey(me, 'user/')
  await refusedKey(me, `figure/${crypto.randomUUID()}/`)
})

test('what is no key is refused as a key', async () => {
  const { token } = await newApiKey(alice.api)
  const last = token.endsWith('0') ? '1' : '0'
  for (const text of ['x', token.slice(0, -1) + last, alice.tokens.access]) {
    await refusedKey(client(LATEST, `Token ${text}`))
  }
  const { body } = await client(LATEST, `Bearer ${token}`).get<Refusal>('workspace/', 401)
  assert.equal(body.code, 'token_not_valid')
  await client(LATEST, `token ${token}`).get('workspace/')
})

test('the last use is told', async () => {
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

test('a scoped key sees one workspace, and no other one even of its owner', async () => {
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

test('a key without a bound does what its owner does', async () => {
  const me = callerWith(await newApiKey(alice.api))
  assert.deepEqual(await idsOf(me, 'workspace/'), await idsOf(alice.api, 'workspace/'))
  const { figure } = await newPlace(me)
  await alice.api.get(`figure/${figure.api_id}/`)
})

test("a member scopes a key to somebody else's workspace, and it goes with the membership", async () => {
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
  await me.post('figure/', { name: 'Late', analysis: figure.analysis }, 403)
  assert.deepEqual(await idsOf(me, 'workspace/'), [])
  await me.get('user/')
})

test('a scoped key ends with the membership of the organization, and with the workspace', async () => {
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
  await me.post('analysis/', { name: 'Late', workspace }, 403)
  assert.deepEqual(await idsOf(me, 'workspace/'), [])

  await own.post('analysis/', { name: 'Last', workspace })
  await alice.api.delete(`workspace/${workspace}/`)
  await own.get(`workspace/${workspace}/`, [403, 404])
  await own.post('analysis/', { name: 'After', workspace }, [400, 403, 404])
  for (const path of ['workspace/', 'analysis/', 'figure/', 'organization/']) {
    assert.deepEqual(await idsOf(own, path), [])
  }
  const body = { name: 'never', workspace }
  const refused = await alice.api.post<Refusal>('api_key/', body, 400)
  assert.match(messageOf(refused), /workspace/)
})

test('a key may be used by many at once, and is refused to all when it is deleted', async () => {
  const made = await newApiKey(alice.api)
  const me = callerWith(made)
  const asked = async (status: number | number[]) =>
    (await Promise.all(Array.from({ length: 8 }, () => me.get('workspace/', status)))).map(
      (answer) => answer.status,
    )
  assert.ok((await asked(200)).every((status) => status === 200))
  const [during] = await Promise.all([
    asked([200, 401]),
    alice.api.delete(`api_key/${made.api_id}/`),
  ])
  assert.equal(during.length, 8)
  assert.ok((await asked(401)).every((status) => status === 401))
})

test('members are listed to a key of a member', async () => {
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

test('events come to a key, to a scoped one of its workspace alone', async () => {
  const [here, elsewhere] = [await newPlace(alice.api), await newPlace(alice.api)]
  const made = await newApiKey(alice.api, { workspace: here.workspace.api_id })
  await using stream = await openEvents({ authorization: `Token ${made.token}` })
  await stream.until(({ event }) => event === 'begun')
  const hidden = await newFigure(alice.api, elsewhere.analysis.api_id)
  const shown = await newFigure(alice.api, here.analysis.api_id)
  await stream.until(({ data }) => data.target_id === shown.api_id)
  assert.ok(!stream.seen.some(({ data }) => data.target_id === hidden.api_id))
})
