import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserPage } from '@figbase/kit/testing'
import type { Client } from '../src/client.js'
import { at, expectProtected, signInAt } from '../src/pages.js'
import { file, newPlace, newRevision, type Place } from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

interface Plan {
  api_id: string
  name: string
}

let alice: TestUser
let place: Place
let browser: Browser
let path: string

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  path = `/workspace/${place.workspace.api_id}/`
  await newRevision(alice.api, place.figure.api_id, [file(Buffer.alloc(2000))])
  browser = (await signInAt('/account/', alice)).browser
})

function monthName() {
  const month = new Date().toISOString().slice(0, 7)
  const name = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return name.format(new Date(`${month}-01`))
}

test('the page of a workspace leads to its plan, which shows what is used', async () => {
  const { text } = await browser.visit(at(path))
  assert.ok(text.includes(`<a href="${path}usage/">Plan and usage</a>`))
  const page = await browser.visit(at(`${path}usage/`))
  assert.match(page.text, /Plan <bdi>Self-hosted<\/bdi>/)
  const row = `<th scope="row">${monthName()}</th><td class="number">`
  for (const title of ['Activities', 'Most storage used']) {
    const [, part = ''] = page.text.split(`<h2>${title}</h2>`)
    assert.match(
      part,
      new RegExp(`^\\s*<svg class="plot" role="img" aria-label="${title} by month\\.`),
    )
    assert.match(part.split('<h2>')[0] ?? '', new RegExp(`${row}[1-9]`))
  }
  assert.match(page.text, /<dt>Storage<\/dt><dd>\d+(\.\d)? (kB|byte|bytes), unlimited/)
  await expectProtected({ browser, page }, `${path}usage/promotion/`, { code: 'X' })
})

test('the usage of an account has its activities as a drawing and as a table', async () => {
  const { text } = await browser.visit(at('/account/usage/'))
  assert.match(text, /<svg class="plot" role="img" aria-label="Your activities by month\./)
  const row = `<th scope="row">${monthName()}</th><td class="number">`
  assert.match(text, new RegExp(`${row}[1-9]`))
  assert.equal(text.match(/<th scope="row">/g)?.length, 12)
  assert.ok(text.includes(`<a href="${path}">`))
})

describe('with plans', { skip: withoutStaff }, () => {
  let staff: Client
  let page: BrowserPage
  const newPlan = async (more: object) =>
    (await staff.post<Plan>('plan/', { name: `Plan ${crypto.randomUUID()}`, ...more })).body
  const planNow = async () =>
    (await alice.api.get<{ plan: Plan }>(`workspace/${place.workspace.api_id}/subscription/`)).body
      .plan.name

  before(async () => {
    staff = await signInStaff()
  })

  test('managers choose a plan that is offered, and see its limits', async () => {
    const large = { max_storage_bytes: 10_000, is_self_service: true, compute_enabled: true }
    const plan = await newPlan({ ...large, monthly_cost: 9.5, allow_flexible_storage: true })
    const hidden = await newPlan({})
    page = await browser.visit(at(`${path}usage/`))
    assert.ok(page.text.includes(`value="${plan.api_id}"`))
    assert.ok(!page.text.includes(hidden.api_id))
    assert.match(page.text, /9\.5 a month/)
    const refused = await browser.submit(page, { plan: hidden.api_id }, `${path}usage/`)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /role="alert">This plan cannot be chosen here/)
    page = await browser.submit(page, { plan: plan.api_id }, `${path}usage/`)
    assert.match(page.text, /role="status">The plan is changed/)
    assert.equal(await planNow(), plan.name)
    assert.match(page.text, /of 10 kB<progress aria-label="Storage" max="10000" value="\d+">/)
    const over = await browser.submit(page, { overages: 'on' }, `${path}usage/`)
    assert.match(over.text, /name="overages" checked=""/)
  })

  test('a promotion code changes the plan, and an unknown one is explained', async () => {
    const plan = await newPlan({ allow_flexible_storage: true })
    const promotion = { plan: plan.api_id }
    const { body } = await staff.post<{ promotion_code: string }>('promotion_code/', promotion)
    const action = `${path}usage/promotion/`
    const unknown = await browser.submit(page, { code: 'UNKNOWN-1' }, action)
    assert.equal(unknown.status, 400)
    assert.match(unknown.text, /This code is unknown, expired or used up/)
    assert.match(unknown.text, /value="UNKNOWN-1"/)
    const done = await browser.submit(page, { code: body.promotion_code.toLowerCase() }, action)
    assert.match(done.text, /role="status">The promotion code is applied/)
    assert.equal(await planNow(), plan.name)
  })
})

test('who may not manage a workspace sees neither', async () => {
  const other = await signInAt('/account/', await signUp())
  for (const name of ['usage', 'storage']) {
    const { status } = await other.browser.visit(at(`${path}${name}/`))
    assert.equal(status, 403)
  }
})
