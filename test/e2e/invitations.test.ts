import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { newOrganization, newWorkspace } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

interface Invitation {
  api_id: string
  email: string
  initiator: string
  token: string | null
  status: string
  created: string
  expiry: string
  membership_type: string
  workspace?: string
  organization?: string
}

let alice: TestUser
let bob: TestUser
let carol: TestUser
before(async () => {
  ;[alice, bob, carol] = [await signUp(), await signUp(), await signUp()]
})

const membershipSegments = {
  workspace: { make: newWorkspace, level: 'creator' },
  organization: { make: newOrganization, level: 'workspace_creator' },
} as const

for (const segment of ['workspace', 'organization'] as const) {
  const { make, level } = membershipSegments[segment]
  const path = (key = '', action = '') => `invitations/${segment}/${key}${key && '/'}${action}`

  async function invite(me: Client, more: object = {}) {
    const { api_id: target } = await make(me)
    const body = { email: 'bob@example.org', membership_type: level, [segment]: target, ...more }
    const { body: invitation } = await me.post<Invitation>(path(), body, 201)
    const { token } = invitation
    assert.ok(token)
    return { target, invitation, token, ofTarget: `${segment}/${target}/` }
  }
  const members = async (ofTarget: string) =>
    (await alice.api.get<object[]>(`${ofTarget}members/`)).body

  for (const version of VERSIONS) {
    test(`${version}: creates, reads, lists and deletes an invitation to a ${segment}`, async () => {
      const me = alice.at(version)
      const { target, invitation, token, ofTarget } = await invite(me)
      assert.equal(invitation[segment], target)
      assert.deepEqual(
        [invitation.initiator, invitation.email, invitation.membership_type, invitation.status],
        [alice.username, 'bob@example.org', level, 'pending'],
      )
      const shown = { ...invitation, token: null }
      assert.deepEqual((await me.get(path(invitation.api_id))).body, shown)
      assert.deepEqual((await me.get(path(invitation.api_id).slice(0, -1))).body, shown)
      assert.deepEqual((await me.get(`${ofTarget}invitations/`)).body, [shown])
      assert.deepEqual((await bob.at(version).get(path(token))).body, shown)
      await me.delete(path(invitation.api_id), 204)
      assert.deepEqual((await me.get(`${ofTarget}invitations/`)).body, [])
      await bob.at(version).post(path(token, 'accept/'), {}, 404)
      await bob.at(version).get(path(token), 404)
    })
  }

  test(`${segment}: the holder of the token can join once, with any e-mail address`, async () => {
    const { target, invitation, token, ofTarget } = await invite(alice.api)
    await carol.api.get(ofTarget, 403)
    const { body } = await carol.api.post<Invitation>(path(token, 'accept'), {}, 200)
    assert.deepEqual([body.status, body.token, body[segment]], ['accepted', null, target])
    await carol.api.get(ofTarget)
    assert.deepEqual((await members(ofTarget)).at(-1), {
      username: carol.username,
      membership_type: level,
    })
    await bob.api.post(path(token, 'accept/'), {}, 404)
    await carol.api.get(path(token), 404)
    await alice.api.get(path(invitation.api_id), 404)
  })

  test(`${segment}: rejects acceptance by a member, which uses up the invitation`, async () => {
    const { token, ofTarget } = await invite(alice.api)
    const before = await members(ofTarget)
    const { body } = await alice.api.post<Refusal>(path(token, 'accept/'), {}, 409)
    assert.equal(body.error, 'already_member')
    await bob.api.post(path(token, 'accept/'), {}, 404)
    assert.deepEqual(await members(ofTarget), before)
  })

  test(`${segment}: users without permission cannot manage invitations`, async () => {
    const { target, invitation, token, ofTarget } = await invite(alice.api)
    const anybody = client(LATEST)
    await bob.api.get(path(invitation.api_id), 403)
    await bob.api.delete(path(invitation.api_id), 403)
    await bob.api.get(`${ofTarget}invitations/`, 403)
    const body = { email: 'x@example.org', membership_type: level, [segment]: target }
    await bob.api.post(path(), body, 403)
    await bob.api.post(path(), { ...body, email: 5 }, 403)
    for (const id of [invitation.api_id, crypto.randomUUID(), token]) {
      await anybody.get(path(id), 401)
      await anybody.delete(path(id), 401)
    }
    await anybody.post(path(token, 'accept/'), {}, 401)
    await anybody.post(path(), body, 401)
    await alice.api.get(path(crypto.randomUUID()), 404)
    await alice.api.delete(path(crypto.randomUUID()), 404)
    const other = segment === 'workspace' ? 'organization' : 'workspace'
    await bob.api.get(`invitations/${other}/${token}/`, 404)
    await bob.api.post(`invitations/${other}/${token}/accept/`, {}, 404)
    await bob.api.get(path(token))
  })

  test(`${segment}: rejects tokens with one changed character, also after many attempts`, async () => {
    const { token } = await invite(alice.api)
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
      await bob.api.post(path(changed, 'accept/'), {}, 404)
    }
    await bob.api.post(path(token, 'accept/'), {}, 200)
  })

  test(`${segment}: rejects invalid invitations with the member`, async () => {
    const { target, ofTarget, invitation } = await invite(alice.api)
    const good = { email: 'x@example.org', membership_type: level, [segment]: target }
    const cases: [string, object][] = [
      ['email', { email: undefined }],
      ['email', { email: 'nobody' }],
      ['membership_type', { membership_type: 'owner' }],
      ['membership_type', { membership_type: 'emperor' }],
      [segment, { [segment]: undefined }],
      [segment, { [segment]: crypto.randomUUID() }],
      [segment, { [segment]: 'x' }],
      ['expiry', { expiry: 'tomorrow' }],
      ['expiry', { expiry: 5 }],
      ['expiry', { expiry: '2020-01-01 00:00:00' }],
    ]
    for (const [member, wrong] of cases) {
      const { body } = await alice.api.post<Refusal>(path(), { ...good, ...wrong }, 400)
      assert.match(body.detail ?? '', new RegExp(`^${member}:`))
    }
    const { body } = await alice.api.get<Invitation[]>(`${ofTarget}invitations/`)
    assert.deepEqual(body, [{ ...invitation, token: null }])
  })

  test(`${segment}: an invitation expires on time; times without a time zone are UTC`, async () => {
    const soon = new Date(Date.now() + 1500)
    const naive = soon.toISOString().replace('T', ' ').replace('Z', '000')
    const { invitation, token, ofTarget } = await invite(alice.api, { expiry: naive })
    assert.equal(new Date(invitation.expiry).getTime(), soon.getTime())
    // Only the passage of time matters here.
    await delay(soon.getTime() - Date.now() + 100)
    await bob.api.post(path(token, 'accept/'), {}, 404)
    await bob.api.get(path(token), 404)
    assert.deepEqual((await alice.api.get(`${ofTarget}invitations/`)).body, [])
    const far = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString()
    const { invitation: cut } = await invite(alice.api, { expiry: far })
    assert.ok(new Date(cut.expiry) < new Date(far))
  })
}
