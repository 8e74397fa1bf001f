import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createBrowser } from '@figbase/kit/testing'
import { mailTo, withoutMail } from '../src/mails.js'
import { at, expectProtected } from '../src/pages.js'
import { newOrganization, newWorkspace } from '../src/publish.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

let alice: TestUser
before(async () => {
  alice = await signUp()
})

async function invite(kind: 'workspace' | 'organization' = 'workspace', role = 'creator') {
  const make = kind === 'workspace' ? newWorkspace : newOrganization
  const { api_id: id } = await make(alice.api)
  const body = { email: 'bob@example.org', membership_type: role, [kind]: id }
  const { body: made } = await alice.api.post<{ token: string; api_id: string }>(
    `invitations/${kind}/`,
    body,
  )
  return { path: `/invitations/${kind}/${made.token}/`, target: `${kind}/${id}`, id: made.api_id }
}

const membersOf = async (target: string) =>
  (await alice.api.get<{ username: string; membership_type: string }[]>(`${target}/members/`)).body

test('a user signs in and accepts an invitation with a button, once', async () => {
  const bob = await signUp()
  for (const [kind, role, text] of [
    [
      'workspace',
      'creator',
      /to the workspace <strong><bdi>.+<\/bdi><\/strong> as <strong>creator<\/strong>/,
    ],
    [
      'organization',
      'workspace_viewer',
      /to the organization <strong><bdi>.+<\/bdi><\/strong> as <strong>viewer of its workspaces<\/strong>/,
    ],
  ] as const) {
    const { path, target } = await invite(kind, role)
    const browser = createBrowser()
    const first = await browser.visit(at(path))
    assert.equal(first.status, 200)
    assert.match(first.text, /You are invited/)
    assert.ok(!first.text.includes(alice.username))
    assert.ok(first.text.includes(`href="/sign-in/?next=${encodeURIComponent(path)}"`))
    const { browser: signedIn, page } = await signInAtPath(path, bob)
    assert.match(page.text, text)
    assert.ok(page.text.includes(`<bdi>${alice.username}</bdi>`))
    const joined = await signedIn.submit(page)
    assert.equal(joined.url.pathname, `/${target}/`)
    assert.equal(joined.status, 200)
    const member = (await membersOf(target)).find(({ username }) => username === bob.username)
    assert.equal(member?.membership_type, role)
    const again = await signedIn.visit(at(path))
    assert.equal(again.status, 404)
    assert.match(again.text, /has expired, was used or was cancelled/)
    assert.equal((await signedIn.submit(page)).status, 404)
  }
})

/** The page itself asks for a sign-in, which leads back to it. */
async function signInAtPath(path: string, { username, password }: TestUser) {
  const browser = createBrowser()
  const form = await browser.visit(at(`/sign-in/?next=${encodeURIComponent(path)}`))
  return { browser, page: await browser.submit(form, { username, password }) }
}

test('a cancelled, unknown or wrong invitation says so', async () => {
  const { path, id } = await invite()
  const bob = await signUp()
  const { browser, page } = await signInAtPath(path, bob)
  await alice.api.delete(`invitations/workspace/${id}/`)
  const refused = await browser.submit(page)
  assert.equal(refused.status, 404)
  assert.match(refused.text, /was cancelled/)
  for (const wrong of ['/invitations/workspace/x/', path.replace('workspace', 'organization')]) {
    const shown = await browser.visit(at(wrong))
    assert.equal(shown.status, 404)
    assert.match(shown.text, /was cancelled/)
  }
  assert.match((await browser.visit(at('/invitations/figure/x/'))).text, /Page not found/)
})

test('the invitation of a member says that they are a member already', async () => {
  const { path, target } = await invite()
  const bob = await signUp()
  const member = { username: bob.username, membership_type: 'viewer' }
  await alice.api.post(`${target}/members/add/`, member, 200)
  const { browser, page } = await signInAtPath(path, bob)
  const refused = await browser.submit(page)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">This user is already a member/)
})

test('an invitation is accepted only from its page', async () => {
  const { path, target } = await invite()
  const bob = await signUp()
  await expectProtected(await signInAtPath(path, bob), path)
  assert.equal((await membersOf(target)).length, 1)
})

test('somebody without an account signs up through the invitation', async () => {
  const { path, target } = await invite()
  const browser = createBrowser()
  const invited = await browser.visit(at(path))
  const link = /href="(\/sign-up\/[^"]+)"/.exec(invited.text)?.[1] ?? ''
  const form = await browser.visit(at(link))
  const { username, email, password, first_name, last_name } = newUser()
  const filled = { username, email, password, first_name, last_name }
  const wrong = await browser.submit(form, { ...filled, password: 'password1' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">This password is too common/)
  assert.ok(wrong.text.includes(`value="${username}"`) && wrong.text.includes(`value="${email}"`))
  assert.ok(!wrong.text.includes('value="password1"'))
  const page = await browser.submit(wrong, filled)
  assert.equal(page.url.pathname, path)
  assert.equal((await browser.submit(page)).url.pathname, `/${target}/`)
  assert.equal((await membersOf(target)).at(-1)?.username, username)
  const sessions = await browser.visit(at('/account/sessions/'))
  assert.equal(sessions.text.match(/<strong>(Browser|Program)<\/strong>/g)?.length, 1)
})

test('mails are in the language of the browser that signed up, until the account has another', {
  skip: withoutMail,
}, async () => {
  const browser = createBrowser({ 'accept-language': 'it,de-CH;q=0.9' })
  const { username, email, password } = newUser()
  const form = await browser.visit(at('/sign-up/'))
  await browser.submit(form, { username, email, password })
  const confirmation = await mailTo(email, 'Bestätigen Sie Ihre E-Mail-Adresse')
  assert.match(confirmation.text ?? '', /Der Link gilt bis \d+\. \p{L}+ \d{4} um \d\d:\d\d UTC\./u)
  assert.match(String(confirmation.html), /<html lang="de">/)

  const account = await browser.visit(at('/account/'))
  assert.match(account.text, /<option value="de-CH">Wie dieser Browser: [^<]+<\/option>/)
  const wrong = await browser.submit(account, { mail_language: 'no tag' }, '/account/')
  assert.equal(wrong.status, 400)
  const saved = await browser.submit(account, { mail_language: 'fr' }, '/account/')
  assert.match(saved.text, /<option value="fr" lang="fr" selected="">français<\/option>/)
  await browser.submit(saved, {}, '/account/email/')
  await mailTo(email, 'Confirmez votre adresse e-mail')
})

test('an invitation is in the language of the inviter', { skip: withoutMail }, async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  const invite = async (name: string, headers = {}) => {
    const email = `${name}-${alice.username}@example.org`
    const body = { workspace, email, membership_type: 'viewer' }
    await alice.api.request('POST', 'invitations/workspace/', { json: body, status: 201, headers })
    return email
  }
  const german = { 'accept-language': 'de' }
  await mailTo(await invite('one', german), /^Ada Łovelace lädt Sie zu „.+“ ein$/)
  await mailTo(await invite('two'), /^Ada Łovelace invites you to “.+”$/)
  await alice.api.patch(`user/${alice.username}/`, { user_profile: { mail_language: 'fr' } })
  await mailTo(await invite('three'), /^Ada Łovelace vous invite à rejoindre «\u00a0.+\u00a0»$/)
  await mailTo(await invite('four', german), /^Ada Łovelace lädt Sie/)
})

test('a sign-up with a taken or invalid name is refused on the page', async () => {
  const browser = createBrowser()
  const signIn = await browser.visit(at('/sign-in/'))
  assert.match(signIn.text, /href="\/sign-up\/\?next=/)
  const form = await browser.visit(at('/sign-up/'))
  const user = { ...newUser() }
  for (const [filled, status, message] of [
    [{ username: alice.username }, 409, /This username is taken/],
    [{ username: 'no spaces' }, 400, /Choose a username of letters/],
    [{ email: 'nowhere' }, 400, /Enter a valid e-mail address/],
    [{ first_name: 'x'.repeat(151) }, 400, /at most 150 characters/],
  ] as [object, number, RegExp][]) {
    const refused = await browser.submit(form, { ...user, ...filled })
    assert.equal(refused.status, status)
    assert.match(/role="alert">(.*?)<\/p>/.exec(refused.text)?.[1] ?? '', message)
  }
})

test('a sign-up from another site is refused, and leads only to paths of this site', async () => {
  const browser = createBrowser()
  const body = new URLSearchParams({ ...newUser() })
  const headers = { origin: 'https://evil.example' }
  const answer = await browser.send(at('/sign-up/'), { method: 'POST', body, headers })
  assert.equal(answer.status, 403)
  const form = await browser.visit(at('/sign-up/?next=https://evil.example/'))
  assert.match(form.text, /name="next" value="\/"/)
})
