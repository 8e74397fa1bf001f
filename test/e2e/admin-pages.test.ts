import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from '@figbase/kit/testing'
import { deployment } from '../src/deployment.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import type { User } from '../src/resources.js'
import { adminPassword, signInStaff, withoutStaff as skip } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

interface Plan {
  api_id: string
  name: string
  max_users: number | null
  max_storage_bytes: number | null
  is_self_service: boolean
}

let browser: Browser
let password: string
let bob: TestUser

before(async () => {
  if (skip) return
  bob = await signUp()
  password = await adminPassword()
  const admin = { username: 'admin', password }
  browser = (await signInAt('/admin/', admin)).browser
})

test('administrators change the settings of the site', { skip }, async () => {
  const staff = await signInStaff()
  const { body: before } = await staff.get<{ announcement: string; site_name: string }>('settings/')
  const page = await browser.visit(at('/admin/'))
  assert.ok(page.text.includes(`name="site_name" value="${before.site_name}"`))
  const announcement = 'Maintenance <b>today</b>\r\nat noon'
  const filled = { site_name: before.site_name, announcement, sign_up: 'on', links: 'on' }
  const saved = await browser.submit(page, filled, '/admin/')
  try {
    assert.match(saved.text, /role="status">The settings are saved/)
    const { body } = await staff.get<typeof before>('settings/')
    assert.equal(body.announcement, 'Maintenance <b>today</b>\nat noon')
    const late = await browser.submit(page, { ...filled, site_name: 'Late' }, '/admin/')
    assert.equal(late.status, 412, 'somebody else was faster')
    assert.match(late.text, /value="Late"/)
  } finally {
    await staff.patch('settings/', { announcement: before.announcement })
  }
})

test('administrators find an account, and deactivate it with their own password', {
  skip,
}, async () => {
  const list = await browser.visit(at(`/admin/accounts/?q=${bob.username}`))
  assert.ok(list.text.includes(`<a href="/admin/accounts/${bob.username}/">`))
  const path = `/admin/accounts/${bob.username}/`
  const page = await browser.visit(at(path))
  assert.ok(page.text.includes(`${bob.username}@example.org`))
  const wrong = await browser.submit(page, { action: 'deactivate', password: 'wrong horse' }, path)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert"/)
  const { body: still } = await bob.api.get<User>(`user/${bob.username}/`)
  assert.equal(still.is_active, true)
  const done = await browser.submit(page, { action: 'deactivate', password }, path)
  assert.match(done.text, /class="mark">inactive/)
  const again = await browser.submit(done, { action: 'activate', password }, path)
  assert.doesNotMatch(again.text, /class="mark">inactive/)
  assert.equal((await browser.submit(done, { action: 'x', password }, path)).status, 404)
})

test('administrators create, change and delete a plan and a promotion code', { skip }, async () => {
  const name = `Plan <b>${crypto.randomUUID()}</b>`
  const form = await browser.visit(at('/admin/plans/new/'))
  const filled = { name, monthly_cost: '9.5', max_users: '3', compute_enabled: 'on' }
  const wrong = await browser.submit(form, { ...filled, max_users: '-1' }, '/admin/plans/new/')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert"><span lang="en">max_users: /)
  const list = await browser.submit(form, filled, '/admin/plans/new/')
  assert.match(list.text, /role="status">The plan is created/)
  const staff = await signInStaff()
  const read = async () => {
    const { body } = await staff.get<Plan[]>('plan/')
    return body.find((plan) => plan.name === name)
  }
  const plan = await read()
  assert.deepEqual(
    [plan?.max_users, plan?.max_storage_bytes, plan?.is_self_service],
    [3, null, false],
  )
  const path = `/admin/plans/${plan?.api_id}/`
  const page = await browser.visit(at(path))
  assert.match(page.text, /name="compute_enabled" checked=""/)
  await browser.submit(page, { ...filled, max_users: '', is_self_service: 'on' }, path)
  assert.deepEqual([(await read())?.max_users, (await read())?.is_self_service], [null, true])

  const code = `P-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  const codes = await browser.visit(at('/admin/promotions/'))
  const request = { code, plan: plan?.api_id ?? '', uses: '2', until: '2126-01-31' }
  const created = await browser.submit(codes, request, '/admin/promotions/')
  assert.match(created.text, /role="status">The promotion code is created/)
  assert.match(created.text, new RegExp(`<code>${code}</code>`))
  const twice = await browser.submit(codes, request, '/admin/promotions/')
  assert.match(twice.text, /role="alert">There is already such a code/)

  for (const [address, done] of [
    [`/admin/promotions/${code}/delete/`, /The promotion code is deleted/],
    [`${path}delete/`, /The plan is deleted/],
  ] as const) {
    const question = await browser.visit(at(address))
    const refused = await browser.submit(question, { password: 'wrong horse' }, address)
    assert.match(refused.text, /role="alert">The password is wrong/)
    assert.match((await browser.submit(question, { password }, address)).text, done)
  }
  const { text } = await browser.visit(at('/admin/log/'))
  for (const entry of [
    `Plan deleted: <strong><bdi>Plan &lt;b&gt;`,
    `Promotion code deleted: <strong><bdi>${code}</bdi>`,
    `Promotion code created: <strong><bdi>${code}</bdi>`,
    `Plan changed: `,
    `Account deactivated: <strong><bdi>${bob.username}</bdi>`,
  ]) {
    assert.ok(text.includes(entry), entry)
  }
  assert.ok(!text.includes(password))
})

test('administrators see the state of each service, and what is stored', { skip }, async () => {
  const { text } = await browser.visit(at('/admin/services/'))
  for (const name of 'identity catalog revisions comments search stories-ai compute tasks'.split(
    ' ',
  )) {
    assert.match(
      text,
      new RegExp(`<a href="/admin/services/${name}/">${name}</a> <span class="mark">ready`),
    )
  }
  const path = '/admin/services/search/'
  const page = await browser.visit(at(path))
  assert.match(page.text, /<span>database<\/span> <span class="quiet">available/)
  assert.match(page.text, /<th scope="row">mark-changed<\/th>/)
  const unknown = { kind: 'event', item: crypto.randomUUID(), action: 'retry', password }
  const form_token = formTokenIn(await browser.visit(at(`/admin/accounts/${bob.username}/`)))
  const body = new URLSearchParams({ form_token, ...unknown })
  const { status } = await browser.send(at(path), { method: 'POST', body, headers: ownOrigin })
  assert.equal(status, 404)
  assert.equal((await browser.visit(at('/admin/services/unknown/'))).status, 404)
  for (const of of ['workspace', 'organization']) {
    const { status } = await browser.visit(at(`/admin/storage/?of=${of}`))
    assert.equal(status, 200)
  }
  const stored = await browser.visit(at('/admin/storage/'))
  assert.match(stored.text, /<a href="\/admin\/accounts\/[^"]+\/"><bdi>/)
})

test('other users see and change nothing of the administration', { skip }, async () => {
  const person = await signUp()
  const mallory = await signInAt('/account/', person)
  const path = `/admin/accounts/${bob.username}/`
  const others = ['plans/', 'plans/new/', 'promotions/', 'promotions/X/delete/', 'services/']
  const addresses = ['', 'accounts/', ...others, 'services/search/', 'storage/', 'log/']
  for (const address of [...addresses.map((name) => `/admin/${name}`), path]) {
    const { status, text } = await mallory.browser.visit(at(address))
    assert.equal(status, 403, address)
    assert.ok(!text.includes(`${bob.username}@example.org`))
  }
  const form_token = formTokenIn(mallory.page)
  for (const [address, values] of [
    ['/admin/', { site_name: 'Mine' }],
    [path, { action: 'deactivate', password: person.password }],
    ['/admin/plans/new/', { name: 'Mine' }],
    ['/admin/promotions/', { code: 'MINE-2026' }],
    ['/admin/services/search/', { item: 'all', action: 'drop', password: person.password }],
    [`/admin/accounts/${person.username}/`, { action: 'staff', password: person.password }],
  ] as [string, Record<string, string>][]) {
    const body = new URLSearchParams({ form_token, ...values })
    const headers = ownOrigin
    const { status } = await mallory.browser.send(at(address), { method: 'POST', body, headers })
    assert.equal(status, 403, address)
  }
  const page = await browser.visit(at(path))
  await expectProtected({ browser, page }, path, { action: 'deactivate', password })
})

test('the page of the account of an administrator leads there', { skip }, async () => {
  assert.match((await browser.visit(at('/account/'))).text, /<a href="\/admin\/">Administration</)
  const other = await signInAt('/account/', await signUp())
  assert.doesNotMatch(other.page.text, /\/admin\//)
  assert.equal(
    (await fetch(new URL('/admin/', deployment.origin), { redirect: 'manual' })).status,
    303,
  )
})
