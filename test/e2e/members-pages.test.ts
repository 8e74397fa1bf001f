import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createBrowser } from '@figbase/kit/testing'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { newOrganization, newPlace, newWorkspace } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
before(async () => {
  ;[alice, bob] = [await signUp(), await signUp()]
})

interface Member {
  username: string
  membership_type: string
}
interface Invitation {
  api_id: string
  email: string
  membership_type: string
}

for (const [kind, make, first, second] of [
  ['workspace', newWorkspace, 'viewer', 'creator'],
  ['organization', newOrganization, 'workspace_viewer', 'org_admin'],
] as const) {
  test(`manages the members of a ${kind}`, async () => {
    const { api_id } = await make(alice.api)
    const target = `${kind}/${api_id}`
    const path = `/${target}/members/`
    const roleOfBob = async () => {
      const { body } = await alice.api.get<Member[]>(`${target}/members/`)
      return body.find(({ username }) => username === bob.username)?.membership_type
    }
    const { browser, page } = await signInAt(path, alice)
    assert.ok((await browser.visit(at(`/${target}/`))).text.includes(`href="${path}"`))

    const unknown = await browser.submit(page, { username: 'no-"body"', role: second }, path)
    assert.equal(unknown.status, 400)
    assert.match(unknown.text, /role="alert">There is no user with this name/)
    assert.ok(unknown.text.includes('value="no-&quot;body&quot;"'))
    assert.ok(unknown.text.includes(`<option value="${second}" selected="">`))
    const added = await browser.submit(unknown, { username: bob.username, role: first }, path)
    assert.match(added.text, /role="status">The user is now a member/)
    assert.ok(added.text.includes(`<bdi>${bob.username}</bdi>`))
    assert.equal(await roleOfBob(), first)
    const twice = await browser.submit(added, { username: bob.username, role: first }, path)
    assert.equal(twice.status, 409)
    assert.match(twice.text, /role="alert">This user is already a member/)

    const member = { username: bob.username, role: second }
    const changed = await browser.submit(added, member, `${path}change/`)
    assert.match(changed.text, /role="status">The role is changed/)
    assert.equal(await roleOfBob(), second)

    const question = `${path}remove/${bob.username}/`
    const asked = await browser.visit(at(question))
    assert.match(asked.text, /loses all access to/)
    const removed = await browser.submit(asked, {}, question)
    assert.match(removed.text, /role="status">The member is removed/)
    assert.equal(await roleOfBob(), undefined)
  })

  test(`invites to a ${kind} by e-mail, and cancels the invitation`, async () => {
    const { api_id } = await make(alice.api)
    const target = `${kind}/${api_id}`
    const path = `/${target}/members/`
    const { browser, page } = await signInAt(path, alice)
    const wrong = await browser.submit(page, { email: 'nowhere', role: first }, `${path}invite/`)
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /role="alert">Enter a valid e-mail address/)
    assert.ok(wrong.text.includes('value="nowhere"'))
    const email = `${bob.username}@example.org`
    const invited = await browser.submit(wrong, { email, role: first }, `${path}invite/`)
    assert.match(invited.text, /role="status">The invitation is sent/)
    assert.ok(invited.text.includes(`<bdi>${email}</bdi>`))
    const open = async () => (await alice.api.get<Invitation[]>(`${target}/invitations/`)).body
    const [invitation] = await open()
    assert.deepEqual([invitation?.email, invitation?.membership_type], [email, first])
    const id = invitation?.api_id ?? ''
    const cancelled = await browser.submit(invited, { id }, `${path}cancel/`)
    assert.match(cancelled.text, /role="status">The invitation is cancelled/)
    assert.deepEqual(await open(), [])
  })
}

test('other members see the members without forms', async () => {
  const { api_id } = await newWorkspace(alice.api)
  const path = `/workspace/${api_id}/members/`
  const member = { username: bob.username, membership_type: 'viewer' }
  await alice.api.post(`workspace/${api_id}/members/add/`, member, 200)
  const { page } = await signInAt(path, bob)
  assert.ok(page.text.includes(`<bdi>${alice.username}</bdi>`))
  assert.doesNotMatch(page.text, /name="role"|name="email"|members\/change/)
  const links = [...page.text.matchAll(/members\/remove\/([^/]+)\//g)].map(([, name]) => name)
  assert.deepEqual(links, [bob.username], 'only to leave')
})

for (const [kind, make, role, shownBy, link] of [
  ['workspace', newWorkspace, 'viewer', 'members/', 'Leave'],
  // Members who do not manage an organization do not see the others.
  ['organization', newOrganization, 'workspace_viewer', '', 'Leave this organization'],
] as const) {
  test(`a member leaves one ${kind} after a question`, async () => {
    const { api_id } = await make(alice.api)
    const member = { username: bob.username, membership_type: role }
    await alice.api.post(`${kind}/${api_id}/members/add/`, member, 200)
    const path = `/${kind}/${api_id}/${shownBy}`
    const { browser } = await signInAt('/account/', bob)
    const page = await browser.visit(at(path))
    const to = `/${kind}/${api_id}/members/remove/${bob.username}/`
    assert.ok(page.text.includes(`<a href="${to}">${link}</a>`))
    const question = await browser.visit(at(to))
    assert.ok(question.text.includes(`href="${path}"`), 'the way back')
    const left = await browser.submit(question, {}, to)
    assert.equal(left.url.pathname, '/')
    assert.equal((await browser.visit(at(path))).status, 403)
  })
}

test('those who may not manage members are refused', async () => {
  const { api_id } = await newWorkspace(alice.api)
  const path = `/workspace/${api_id}/members/`
  await alice.api.post(
    `workspace/${api_id}/members/add/`,
    { username: bob.username, membership_type: 'viewer' },
    200,
  )
  const { browser, page } = await signInAt('/account/', bob)
  const form_token = formTokenIn(page)
  for (const [to, values] of [
    ['', { username: bob.username, role: 'admin' }],
    ['change/', { username: bob.username, role: 'admin' }],
    ['invite/', { email: 'eve@example.org', role: 'admin' }],
    [`remove/${alice.username}/`, {}],
  ] as [string, Record<string, string>][]) {
    const body = new URLSearchParams({ form_token, ...values })
    const answer = await browser.send(at(path + to), {
      method: 'POST',
      body,
      headers: ownOrigin,
    })
    assert.ok([400, 403].includes(answer.status), `${to} ${answer.status}`)
  }
  const { body } = await alice.api.get<Member[]>(`workspace/${api_id}/members/`)
  assert.deepEqual(
    body.map(({ membership_type }) => membership_type),
    ['owner', 'viewer'],
  )
})

test('the last administrator of an organization stays, and the page says why', async () => {
  const { api_id } = await newOrganization(alice.api)
  const path = `/organization/${api_id}/members/`
  const { browser } = await signInAt(path, alice)
  const question = `${path}remove/${alice.username}/`
  const kept = await browser.submit(await browser.visit(at(question)), {}, question)
  assert.equal(kept.status, 400)
  assert.match(kept.text, /role="alert">An organization keeps at least one administrator/)
})

test('shares a figure with a user and by link, and stops it', async () => {
  const { analysis, figure, workspace } = await newPlace(alice.api)
  for (const target of [`figure/${figure.api_id}`, `analysis/${analysis.api_id}`]) {
    const path = `/${target}/share/`
    const { browser, page } = await signInAt(path, alice)
    assert.ok((await browser.visit(at(`/${target}/`))).text.includes(`href="${path}"`))
    assert.ok(page.text.includes(`href="/workspace/${workspace.api_id}/members/"`))
    const unknown = await browser.submit(page, { username: 'nobody <x>' }, `${path}user/`)
    assert.equal(unknown.status, 400)
    assert.match(unknown.text, /role="alert">There is no user with this name/)
    assert.ok(unknown.text.includes('value="nobody &lt;x&gt;"'))
    await bob.api.get(`${target}/`, 403)
    const { username } = bob
    const shared = await browser.submit(unknown, { username }, `${path}user/`)
    assert.match(shared.text, /role="status">It is shared with this user now/)
    assert.ok(shared.text.includes(`<bdi>${username}</bdi>`))
    await bob.api.get(`${target}/`, 200)
    const stopped = await browser.submit(shared, { username, enabled: 'false' }, `${path}user/`)
    assert.match(stopped.text, /role="status">It is no longer shared/)
    await bob.api.get(`${target}/`, 403)

    assert.match(stopped.text, /If you turn it on, everybody who knows the address can view/)
    const on = await browser.submit(stopped, {}, `${path}link/`)
    assert.match(on.text, /role="status">The link is on now/)
    assert.ok(on.text.includes(`<code>${at(`/${target}/`)}</code>`))
    assert.equal((await createBrowser().visit(at(`/${target}/`))).status, 200)
    const off = await browser.submit(on, {}, `${path}link/`)
    assert.match(off.text, /role="status">The link is off now/)
    assert.equal((await createBrowser().visit(at(`/${target}/`))).status, 401)
  }
})

test('those with whom an object is shared get no link to share it, and may not', async () => {
  const { figure } = await newPlace(alice.api)
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`figure/${figure.api_id}/share/user/`, share, 200)
  const { browser } = await signInAt('/account/', bob)
  const page = await browser.visit(at(`/figure/${figure.api_id}/`))
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /\/share\//)
  assert.equal((await browser.visit(at(`/figure/${figure.api_id}/share/`))).status, 403)
})

test('the forms are accepted only from pages of the same session', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const members = `/workspace/${workspace.api_id}/members/`
  const share = `/figure/${figure.api_id}/share/`
  const signedIn = await signInAt(members, alice)
  for (const [path, values] of [
    [members, { username: bob.username, role: 'admin' }],
    [`${members}change/`, { username: bob.username, role: 'admin' }],
    [`${members}invite/`, { email: 'eve@example.org', role: 'admin' }],
    [`${members}cancel/`, { id: workspace.api_id }],
    [`${members}remove/${bob.username}/`, {}],
    [`${share}user/`, { username: bob.username, enabled: 'true' }],
    [`${share}link/`, { enabled: 'true' }],
  ] as [string, Record<string, string>][]) {
    await expectProtected(signedIn, path, values)
  }
  const { body } = await alice.api.get<Member[]>(`workspace/${workspace.api_id}/members/`)
  assert.equal(body.length, 1)
  await bob.api.get(`figure/${figure.api_id}/`, 403)
})
