import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { mailTo, tokenIn, withoutMail } from '../src/mails.js'
import { code, newOrganization, newPlace, newWorkspace, publish } from '../src/publish.js'
import type { Tokens, User, Workspace } from '../src/resources.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

const anybody = client()
const pathOf = ({ username }: TestUser) => `user/${username}/`
const deleteAccount = <T = unknown>(
  me: TestUser,
  status = 204,
  by: Client = me.api,
  password = me.password,
) => by.request<T>('DELETE', pathOf(me), { json: { password }, status })
const addMember = (by: TestUser, to: string, { username }: TestUser, membership_type: string) =>
  by.api.post(`${to}/members/add/`, { username, membership_type }, 200)
const signIn = ({ username, password }: TestUser, status = 200) =>
  anybody.post<Tokens & Refusal>('/api/token/', { username, password }, status)

interface Export {
  user: User
  notifications: object
  api_keys: { api_id: string; token: null }[]
  ssh_keys: object[]
  grants: { api_id: string; entity_type: string; is_share: boolean }[]
  invitations: { email: string }[]
  tasks: object[]
  activity: { action: string; target_id: string }[]
}

test('deleting an account deletes its own workspaces; objects in other workspaces remain, with the username', async () => {
  const [me, friend] = [await signUp(), await signUp()]
  const key = await newApiKey(me.api)
  const own = await newPlace(me.api)
  await publish(me.api, own.figure.api_id, [code(Buffer.from('mine'))])
  const { body: workspaces } = await me.api.get<Workspace[]>('workspace/')
  assert.equal(workspaces.length, 2)
  const common = await newPlace(friend.api)
  await addMember(friend, `workspace/${common.workspace.api_id}`, me, 'creator')
  const published = await publish(me.api, common.figure.api_id, [code(Buffer.from('shared'))])

  await deleteAccount(me)
  const { body: refusal } = await signIn(me, 401)
  const { body: ofNobody } = await anybody.post<Refusal>(
    '/api/token/',
    { username: newUser().username, password: me.password },
    401,
  )
  assert.deepEqual(refusal, ofNobody)
  await anybody.post('/api/token/refresh/', { refresh: me.tokens.refresh }, 401)
  await callerWith(key).get('workspace/', 401)
  for (const { api_id } of workspaces) await me.api.get(`workspace/${api_id}/`, 404)
  await me.api.get(`workspace/${common.workspace.api_id}/`, 403)
  await friend.api.get(pathOf(me), 404)
  const { body: found } = await friend.api.get<User[]>(`user/?q=${me.username}`)
  assert.deepEqual(found, [])
  const { body: revision } = await friend.api.get<{ created_by: string }>(
    `revision/${published.api_id}/`,
  )
  assert.equal(revision.created_by, me.username)
  const { body: members } = await friend.api.get<{ username: string }[]>(
    `workspace/${common.workspace.api_id}/members/`,
  )
  assert.deepEqual(
    members.map(({ username }) => username),
    [friend.username],
  )
  for (const username of [me.username, me.username.toUpperCase()]) {
    await anybody.post('user/', { ...newUser(), username }, 409)
  }
  await friend.api.post(
    `workspace/${common.workspace.api_id}/members/add/`,
    { username: me.username, membership_type: 'viewer' },
    400,
  )
})

test('only the user, with the password, and staff can delete an account', async () => {
  const [me, other] = [await signUp(), await signUp()]
  const key = callerWith(await newApiKey(me.api))
  for (const password of ['', 'wrong horse']) {
    assert.match(messageOf(await deleteAccount<Refusal>(me, 400, me.api, password)), /password:/)
  }
  await me.api.request('DELETE', pathOf(me), { status: 400 })
  await deleteAccount(me, 403, key)
  await deleteAccount(me, 403, other.api)
  await deleteAccount(me, 401, anybody)
  await signIn(me)
})

test('the only administrator of a shared workspace must first transfer it', async () => {
  const [me, friend] = [await signUp(), await signUp()]
  const organization = (await newOrganization(me.api)).api_id
  const workspace = (await newWorkspace(me.api, 'Climate', organization)).api_id
  await addMember(me, `organization/${organization}`, friend, 'workspace_creator')
  const { body } = await deleteAccount<Refusal>(me, 409)
  assert.equal(body.error, 'last_owner')
  await signIn(me)
  const member = { username: friend.username, membership_type: 'org_admin' }
  await me.api.post(`organization/${organization}/members/change/`, member, 200)
  await deleteAccount(me)
  await friend.api.get(`workspace/${workspace}/`)
  await friend.api.get(`organization/${organization}/`)
})

test('staff can deactivate, activate and delete accounts', { skip: withoutStaff }, async () => {
  const me = await signUp()
  const admin = await signInStaff()
  const state = { username: me.username, is_active: false, is_staff: false }
  for (const action of ['deactivate', 'activate'] as const) {
    const path = `${pathOf(me)}${action}/`
    await me.api.post(path, {}, 403)
    const { body } = await admin.post(path, {}, 200)
    assert.deepEqual(body, { ...state, is_active: action === 'activate' })
    await signIn(me, action === 'activate' ? 200 : 401)
  }
  const { body } = await admin.post(`${pathOf(me)}staff/`, { is_staff: true }, 200)
  assert.deepEqual(body, { ...state, is_active: true, is_staff: true })
  const { body: tokens } = await signIn(me)
  await client(LATEST, `Bearer ${tokens.access}`).get('promotion_code/')
  await admin.post(`${pathOf(me)}staff/`, { is_staff: 'no' }, 400)
  await admin.post(`${pathOf(me)}staff/`, { is_staff: false }, 200)
  await admin.post('user/nobody-of-that-name/deactivate/', {}, 404)
  await deleteAccount(me, 204, admin, '')
  await signIn(me, 401)
  await deleteAccount(me, 404, admin, '')
})

for (const version of VERSIONS) {
  test(`${version}: the export contains all personal data without secrets`, async () => {
    const [me, friend] = [await signUp(), await signUp()]
    const key = await newApiKey(me.api)
    const place = await newPlace(me.api)
    const workspace = place.workspace.api_id
    const { body: invitation } = await me.api.post<{ token: string }>('invitations/workspace/', {
      workspace,
      email: 'x@example.org',
      membership_type: 'viewer',
    })
    const otherPlace = await newPlace(friend.api)
    await friend.api.post(
      `figure/${otherPlace.figure.api_id}/share/user/`,
      { username: me.username, sharing_enabled: true },
      200,
    )
    const { body, text, headers } = await me.at(version).get<Export>(`${pathOf(me)}export/`)
    assert.match(headers.get('content-disposition') ?? '', /^attachment/)
    assert.deepEqual(body.user, (await me.api.get<User>(pathOf(me))).body)
    assert.deepEqual(
      body.api_keys.map(({ api_id }) => api_id),
      [key.api_id],
    )
    const { body: chosen } = await me.api.get('user_profile/notifications/')
    assert.deepEqual(body.notifications, chosen)
    assert.ok(body.grants.some(({ api_id, is_share }) => api_id === workspace && !is_share))
    assert.ok(
      body.grants.some(({ api_id, is_share }) => api_id === otherPlace.figure.api_id && is_share),
    )
    assert.deepEqual(
      body.invitations.map(({ email }) => email),
      ['x@example.org'],
    )
    const made = body.activity.map(({ target_id }) => target_id)
    for (const object of [place.workspace, place.analysis, place.figure]) {
      assert.ok(made.includes(object.api_id))
    }
    assert.ok(!made.includes(otherPlace.figure.api_id))
    for (const secret of [key.token, invitation.token, me.password]) {
      assert.ok(!text.includes(secret))
    }
    await friend.api.get(`${pathOf(me)}export/`, 403)
    await anybody.get(`${pathOf(me)}export/`, 401)
    await callerWith(await newApiKey(me.api, { workspace })).get(`${pathOf(me)}export/`, 403)
  })
}

test('confirms the deletion by e-mail, and frees the address', {
  skip: withoutMail,
}, async () => {
  const me = await signUp()
  const address = `${me.username}@example.org`
  const token = tokenIn(await mailTo(address, 'Confirm your e-mail address'))
  await me.api.post(`${pathOf(me)}verify_email/`, { token }, 200)
  await deleteAccount(me)
  await mailTo(address, 'Your account was deleted')
  const next = { ...newUser(), email: address }
  const { body } = await anybody.post<User & { auth: Tokens }>('user/', next)
  const again = tokenIn(await mailTo(address, 'Confirm your e-mail address', 2))
  const api = client(LATEST, `Bearer ${body.auth.access}`)
  await api.post(`user/${next.username}/verify_email/`, { token: again }, 200)
})
