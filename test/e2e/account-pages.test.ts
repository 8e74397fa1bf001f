import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import type { ApiKey } from '../src/api-keys.js'
import { client, type Refusal } from '../src/client.js'
import { LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import { mailTo, tokenIn, withoutMail } from '../src/mails.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { newOrganization, newWorkspace } from '../src/publish.js'
import type { User } from '../src/resources.js'
import { type SshKey, sshKeyToSend } from '../src/ssh-keys.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
before(async () => {
  alice = await signUp()
})

const userOf = async ({ username, api }: TestUser) =>
  (await api.get<User>(`user/${username}/`)).body

/** Follows the confirmation page of a form. */
async function confirm(browser: Browser, path: string): Promise<BrowserPage> {
  return browser.submit(await browser.visit(at(path)), {}, path)
}

test('all pages lead to the sign-in page without a session, and back', async () => {
  for (const path of ['/account/', '/account/api-keys/', '/account/data/figbase-account.json']) {
    const answer = await createBrowser().send(at(path))
    assert.equal(answer.status, 303, path)
    const to = `/sign-in/?next=${encodeURIComponent(path)}`
    assert.equal(answer.headers.get('location'), to)
  }
  const { page } = await signInAt('/account/sessions/', alice)
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.match(page.text, /<a href="\/account\/sessions\/" aria-current="page">Sessions<\/a>/)
  assert.match(page.text, new RegExp(`<a href="/account/"><bdi>${alice.username}</bdi></a>`))
})

test('the forms are accepted only from pages of the same session', async () => {
  const { browser, page } = await signInAt('/account/', alice)
  for (const [path, values] of [
    ['/account/', { first_name: 'Mallory', email: 'mallory@example.org' }],
    ['/account/email/', {}],
    ['/account/avatar/remove/', {}],
    ['/account/password/', { password: 'the password of mallory' }],
    ['/account/api-keys/', { name: 'stolen' }],
    ['/account/api-keys/x/delete/', {}],
    ['/account/ssh-keys/', { name: 'stolen' }],
    ['/account/ssh-keys/x/default/', {}],
    ['/account/ssh-keys/x/delete/', {}],
    ['/account/sessions/x/end/', {}],
    ['/account/sessions/end/', {}],
    ['/account/delete/', { password: alice.password }],
  ] as [string, Record<string, string>][]) {
    await expectProtected({ browser, page }, path, values)
  }
  const { first_name } = await userOf(alice)
  assert.equal(first_name, 'Ada')
  assert.deepEqual((await alice.api.get('api_key/')).body, [])
})

test('changes the profile; what is not valid is shown again with what was typed', async () => {
  const me = await signUp()
  const { browser, page } = await signInAt('/account/', me)
  const wrong = await browser.submit(
    page,
    { first_name: '<b>Grace', last_name: 'Hopper', email: 'nowhere' },
    '/account/',
  )
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">Enter a valid e-mail address/)
  assert.match(wrong.text, /value="&lt;b&gt;Grace"/)
  assert.match(wrong.text, /value="nowhere"/)
  assert.equal((await userOf(me)).first_name, 'Ada')

  const email = `new-${me.username}@example.org`
  const saved = await browser.submit(
    wrong,
    { first_name: 'Grace', last_name: 'Hopper', email },
    '/account/',
  )
  assert.equal(saved.url.search, '?done=saved')
  assert.match(saved.text, /role="status">Your changes are saved/)
  const user = await userOf(me)
  assert.deepEqual([user.first_name, user.last_name, user.email], ['Grace', 'Hopper', email])
  assert.deepEqual(user.user_profile, {})
})

test('what reaches the user by mail can be chosen; what a form does not name stays', async () => {
  const me = await signUp()
  await me.api.patch(`user/${me.username}/`, { user_profile: { ui_data: { theme: 'dark' } } })
  const path = '/account/notifications/'
  const { browser, page } = await signInAt(path, me)
  assert.match(page.text, /name="mention" value="at_once" checked/)
  assert.match(page.text, /name="stale_figure" value="digest" checked/)
  const send = (values: Record<string, string>) => {
    const body = new URLSearchParams({ form_token: formTokenIn(page), ...values })
    return browser.send(at(path), { method: 'POST', body, headers: ownOrigin })
  }
  const time = { digest_day: 'monday', digest_hour: '18', time_zone: 'Europe/Berlin' }
  await send({ mention: 'none', reply: 'digest', ...time })
  for (const values of [{}, { mention: 'often', digest_hour: 'x', digest_day: '' }])
    await send(values as Record<string, string>)
  const { text } = await browser.visit(at(path))
  for (const chosen of [
    ...['name="mention" value="none" checked', 'name="reply" value="digest" checked'],
    ...['name="share" value="at_once" checked', 'value="monday" selected'],
    ...['value="18" selected', 'value="Europe/Berlin" selected'],
  ])
    assert.ok(text.includes(chosen), chosen)
  const refused = await send({ time_zone: 'Mars' })
  assert.equal(refused.status, 400)
  assert.deepEqual((await userOf(me)).user_profile, {
    ui_data: { theme: 'dark' },
    mention_emails: false,
  })
})

test('workspaces and organizations of the digest can be chosen, and are forgotten when they may not be viewed', async () => {
  const me = await signUp()
  const path = '/account/notifications/'
  const { api_id: workspace } = await newWorkspace(me.api, 'Field trip')
  const own = await newOrganization(me.api, 'Fleet')
  const other = await newOrganization(alice.api, 'Harbour')
  const members = `organization/${other.api_id}/members/`
  const member = { username: me.username, membership_type: 'workspace_viewer' }
  await alice.api.post(`${members}add/`, member, 200)
  const settings = async () => {
    const { body } = await me.api.get<Record<string, string[]>>('user_profile/notifications/')
    return [body.digest_workspaces, new Set(body.digest_organizations)]
  }
  const box = (field: string, id: string) => ({ [`${field}:${id}`]: 'on' })
  const { browser, page } = await signInAt(path, me)
  for (const name of ['Field trip', 'Fleet', 'Harbour']) assert.ok(page.text.includes(name), name)
  const organizations = {
    ...box('digest_organizations', own.api_id),
    ...box('digest_organizations', other.api_id),
  }
  await browser.submit(page, { ...box('digest_workspaces', workspace), ...organizations }, path)
  assert.deepEqual(await settings(), [[workspace], new Set([own.api_id, other.api_id])])

  await alice.api.post(`${members}remove/`, { username: me.username }, 200)
  const later = await browser.visit(at(path))
  assert.ok(!later.text.includes(other.api_id))
  const saved = await browser.submit(later, {}, path)
  assert.equal(saved.url.search, '?done=saved')
  assert.deepEqual(await settings(), [[workspace], new Set([own.api_id])])
})

test('sends a link to confirm the address, and then says that it is confirmed', {
  skip: withoutMail,
}, async () => {
  const me = await signUp()
  const { browser, page } = await signInAt('/account/', me)
  assert.match(page.text, /Your e-mail address is not confirmed/)
  const sent = await browser.submit(page, {}, '/account/email/')
  assert.match(sent.text, /we have sent a link to it/)
  const { email = '' } = await userOf(me)
  const mail = await mailTo(email, 'Confirm your e-mail address', 2)
  const link = await browser.visit(at(`/verify-email/${tokenIn(mail)}/`))
  await browser.submit(link)
  const shown = await browser.visit(at('/account/'))
  assert.match(shown.text, /The e-mail address <bdi>[^<]+<\/bdi> is confirmed/)
  assert.doesNotMatch(shown.text, /action="\/account\/email\/"/)
})

test('uploads and removes the profile picture', async () => {
  const me = await signUp()
  const { browser, page } = await signInAt('/account/', me)
  const upload = (file: Blob, form_token = formTokenIn(page)) => {
    const body = new FormData()
    body.set('form_token', form_token)
    body.set('file', file, 'me.png')
    return browser.send(at('/account/avatar/'), { method: 'POST', body, headers: ownOrigin })
  }
  assert.equal((await upload(new Blob([png(40, 40)]), 'x')).status, 403)
  for (const bytes of [Buffer.from('no picture'), Buffer.alloc(0)]) {
    const wrong = await upload(new Blob([bytes]))
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /role="alert">Choose a picture in the PNG format/)
  }
  assert.equal((await upload(new Blob([Buffer.alloc(6_000_000)]))).status, 413)
  assert.equal((await upload(new Blob([png(40, 40)]))).status, 303)
  const shown = await browser.visit(at('/account/'))
  const { avatar } = await userOf(me)
  assert.ok(avatar && shown.text.includes(`src="data:image/png;base64,${avatar}"`))
  await browser.submit(shown, {}, '/account/avatar/remove/')
  assert.equal((await userOf(me)).avatar, null)
})

test('a form with a file must be one', async () => {
  const { browser, page } = await signInAt('/account/', alice)
  const send = (type: string, body: string) =>
    browser.send(at('/account/avatar/'), {
      method: 'POST',
      body,
      headers: { ...ownOrigin, 'content-type': type },
    })
  assert.equal((await send('multipart/form-data; boundary=x', 'no form')).status, 400)
  assert.equal((await send('multipart/form-data', '--x--')).status, 400)
  const urlencoded = `form_token=${formTokenIn(page)}&file=x`
  assert.equal((await send('application/x-www-form-urlencoded', urlencoded)).status, 400)
})

test('a new password ends the other sessions, but not that of this browser', async () => {
  const me = await signUp()
  const { browser, page } = await signInAt('/account/password/', me)
  const other = await signInAt('/account/', me)
  const wrong = await browser.submit(page, { password: 'password1' }, '/account/password/')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">This password is too common/)
  assert.ok(!wrong.text.includes('value="password1"'))
  const password = 'twelve green bottles'
  const changed = await browser.submit(wrong, { password }, '/account/password/')
  assert.match(changed.text, /role="status">Password changed/)
  assert.equal((await other.browser.send(at('/account/'))).status, 303)
  assert.equal((await browser.send(at('/account/'))).status, 200)
  await client().post('/api/token/', { username: me.username, password }, 200)
})

test('creates an API key whose token is shown once, and deletes it after a question', async () => {
  const me = await signUp()
  const workspace = await newWorkspace(me.api, 'Sea <ice>')
  const { browser, page } = await signInAt('/account/api-keys/', me)
  assert.match(page.text, /You have no API keys/)
  assert.match(page.text, /<option value="[^"]+">Sea &lt;ice&gt;<\/option>/)
  const filled = {
    name: 'nightly & co',
    access: 'publish',
    days: '30',
    workspace: workspace.api_id,
  }
  const made = await browser.submit(page, filled, '/account/api-keys/')
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'private, no-store')
  assert.equal(made.url.pathname, '/account/api-keys/')
  const token = /<pre[^>]*aria-label="Token"><code>([^<]+)<\/code>/.exec(made.text)?.[1] ?? ''
  assert.ok(made.text.includes(`&quot;api_key&quot;: &quot;${token}&quot;`))
  assert.ok(made.text.includes(`echo &#39;${token}&#39; | figbase login --url ${at('/').origin}`))
  await client(LATEST, `Token ${token}`).get('workspace/', 200)

  const again = await browser.submit(page, filled, '/account/api-keys/')
  assert.equal(again.status, 400)
  assert.match(again.text, /role="alert">You already have a key with this name/)
  assert.match(again.text, /value="nightly &amp; co"/)
  assert.match(again.text, /<option value="publish" selected="">/)
  assert.match(again.text, /name="days" value="30"/)
  const list = await browser.visit(at('/account/api-keys/'))
  assert.ok(!list.text.includes(token))
  assert.match(list.text, /Only in the workspace <a href="\/workspace\/[^"]+"><bdi>Sea &lt;ice&gt;/)
  const [key] = (await me.api.get<(ApiKey & { access: string; expiry: string })[]>('api_key/')).body
  assert.equal(key?.access, 'publish')
  const days = (Date.parse(key?.expiry ?? '') - Date.now()) / 86_400_000
  assert.ok(Math.abs(days - 30) < 0.1, `${days}`)

  const question = `/account/api-keys/${key?.api_id}/delete/`
  assert.match((await browser.visit(at(question))).text, /the key <bdi>nightly &amp; co<\/bdi>/)
  assert.match((await confirm(browser, question)).text, /The API key is deleted/)
  await client(LATEST, `Token ${token}`).get('workspace/', 401)
  assert.equal((await browser.visit(at(question))).status, 404)
})

test('an API key with invalid values is refused on the page', async () => {
  const { browser, page } = await signInAt('/account/api-keys/', alice)
  for (const [filled, message] of [
    [{ name: 'k', access: 'full', days: '0' }, /number of days from 1 to 3650/],
    [{ name: 'k', access: 'full', days: '1e9' }, /number of days from 1 to 3650/],
    [{ name: 'k', access: 'full', days: '-1' }, /number of days from 1 to 3650/],
    [{ name: '', access: 'full' }, /name: /],
    [{ name: 'k', access: 'full', workspace: 'x' }, /workspace: must be a UUID/],
    [{ name: 'k', access: 'everything' }, /access: is unknown/],
  ] as [Record<string, string>, RegExp][]) {
    const { status, text } = await browser.submit(page, filled, '/account/api-keys/')
    assert.equal(status, 400, JSON.stringify(filled))
    assert.match(/role="alert">(.*?)<\/p>/.exec(text)?.[1] ?? '', message)
  }
  assert.deepEqual((await alice.api.get('api_key/')).body, [])
})

test('adds SSH keys, changes the default, and deletes one after a question', async () => {
  const me = await signUp()
  const { browser, page } = await signInAt('/account/ssh-keys/', me)
  const add = (name: string, more: Record<string, string> = {}) => {
    const { private_key } = sshKeyToSend()
    // Browsers send line ends as CRLF.
    const lines = String(private_key).replaceAll('\n', '\r\n')
    return browser.submit(page, { name, private_key: lines, ...more }, '/account/ssh-keys/')
  }
  assert.match((await add('laptop')).text, /role="status">The SSH key is added/)
  const wrong = await add('desk <top>', { private_key: 'a secret that is no key' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">This private key cannot be used/)
  assert.match(wrong.text, /value="desk &lt;top&gt;"/)
  assert.ok(!wrong.text.includes('a secret that is no key'))
  const both = await add('desktop')
  const keys = async () => (await me.api.get<SshKey[]>('ssh_key/')).body
  const [laptop, desktop] = await keys()
  assert.deepEqual([laptop?.is_default, desktop?.is_default], [true, false])
  assert.ok(both.text.includes(laptop?.fingerprint ?? 'none'))
  await browser.submit(both, {}, `/account/ssh-keys/${desktop?.api_id}/default/`)
  assert.deepEqual(
    (await keys()).map((key) => key.is_default),
    [false, true],
  )
  const path = `/account/ssh-keys/${laptop?.api_id}/delete/`
  assert.match((await browser.visit(at(path))).text, /The key <bdi>laptop<\/bdi>/)
  await confirm(browser, path)
  assert.deepEqual(
    (await keys()).map(({ name }) => name),
    ['desktop'],
  )
})

test('lists the sessions, ends one, and all after a question', async () => {
  const me = await signUp()
  const { browser } = await signInAt('/account/', me)
  const other = await signInAt('/account/', me)
  const { body: sessions } = await me.api.get<{ id: string; kind: string }[]>(
    `account/${me.username}/sessions/`,
  )
  assert.deepEqual(
    sessions.map(({ kind }) => kind),
    ['browser', 'browser', 'token'],
  )
  const page = await browser.visit(at('/account/sessions/'))
  assert.equal(page.text.match(/<strong>(Browser|Program)<\/strong>/g)?.length, 3)
  const ended = await browser.submit(page, {}, `/account/sessions/${sessions[0]?.id}/end/`)
  assert.match(ended.text, /role="status">The session has ended/)
  assert.equal((await other.browser.send(at('/account/'))).status, 303)
  assert.equal((await browser.send(at('/account/'))).status, 200)
  const out = await confirm(browser, '/account/sessions/end/')
  assert.equal(out.url.pathname, '/sign-in/')
  assert.match(out.text, /name="password"/)
  await client().post('/api/token/refresh/', { refresh: me.tokens.refresh }, 401)
})

test('a session of another user cannot be ended', async () => {
  const { browser, page } = await signInAt('/account/', alice)
  const bob = await signUp()
  const { body } = await bob.api.get<{ id: string }[]>(`account/${bob.username}/sessions/`)
  const form = new URLSearchParams({ form_token: formTokenIn(page) })
  const path = at(`/account/sessions/${body[0]?.id}/end/`)
  const answer = await browser.send(path, { method: 'POST', body: form, headers: ownOrigin })
  assert.equal(answer.status, 404)
})

test('the export is what the API exports', async () => {
  const { browser, page } = await signInAt('/account/data/', alice)
  const path = /href="([^"]+)" download/.exec(page.text)?.[1] ?? ''
  const file = await browser.visit(at(path))
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment;/)
  assert.equal(file.headers.get('cache-control'), 'private, no-store')
  const { body } = await alice.api.get<{ activity: unknown }>(`user/${alice.username}/export/`)
  assert.deepEqual(JSON.parse(file.text), body)
})

test('an account is deleted with its password, unless a container needs it', async () => {
  const [me, friend] = [await signUp(), await signUp()]
  const organization = await newOrganization(me.api, 'Institute & co')
  const path = `organization/${organization.api_id}`
  const member = { username: friend.username, membership_type: 'workspace_viewer' }
  await me.api.post(`${path}/members/add/`, member, 200)
  const { browser, page } = await signInAt('/account/delete/', me)
  const remove = (password: string) => browser.submit(page, { password }, '/account/delete/')
  const wrong = await remove('not the password')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">The password is wrong/)
  assert.ok(!wrong.text.includes('not the password'))
  const kept = await remove(me.password)
  assert.equal(kept.status, 409)
  assert.match(kept.text, /would have no administrator/)
  assert.ok(kept.text.includes(`<a href="/${path}/"><bdi>Institute &amp; co</bdi></a>`))
  await me.api.post(`${path}/members/remove/`, { username: friend.username }, 200)
  const done = await remove(me.password)
  assert.match(done.text, /<h1>The account is deleted<\/h1>/)
  assert.equal(browser.cookies.get('figbase-session'), undefined)
  const { username, password } = me
  const { body } = await client().post<Refusal>('/api/token/', { username, password }, 401)
  assert.equal(body.error, 'authentication_failed')
})
