import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client, Refusal } from '../src/client.js'
import { signInAt } from '../src/pages.js'
import { newOrganization, newWorkspace } from '../src/publish.js'
import { signInStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

interface Billing {
  name: string
  interval: string
  seats: number
  currency: string
  estimate: { total_minor: number; tax_minor: number; lines: { kind: string }[] } | null
  provider: string
}

let admin: Client
let alice: TestUser
let plan: string
before(async () => {
  admin = await signInStaff()
  alice = await signUp()
  const body = { name: `Team ${alice.username}`, monthly_cost: 50, is_self_service: true }
  plan = (await admin.post<{ api_id: string }>('plan/', body, 201)).body.api_id
})

test('a plan that costs something has an estimate with taxes, from the ledgers of all services', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const path = `organization/${organization}/billing/`
  const { body: before } = await alice.api.get<Billing>(path)
  assert.deepEqual([before.provider, before.currency, before.seats], ['none', 'EUR', 1])
  assert.equal(before.estimate?.total_minor, 0)
  await alice.api.post(`organization/${organization}/subscription/`, { plan }, 200)
  const change = { name: 'Alice Ltd.', country: 'de', interval: 'month' }
  const { body: after } = await alice.api.patch<Billing>(path, change)
  assert.equal(after.name, 'Alice Ltd.')
  const { total_minor: total = 0, tax_minor: tax = 0, lines = [] } = after.estimate ?? {}
  // On the last second of a month, nothing is left to pay.
  assert.ok(total >= 0 && total <= 5950, String(total))
  assert.equal(tax, Math.floor(((total - tax) * 19 + 50) / 100))
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    total > 0 ? ['plan', 'tax'] : [],
  )
  assert.deepEqual((await alice.api.get(`${path}invoice/`)).body, [])
  await alice.api.get(`${path}invoice/${organization}/`, 404)
})

test('an organization pays for its workspaces', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const { api_id: workspace } = await newWorkspace(alice.api, 'Billed', organization)
  const { body } = await alice.api.get<Refusal>(`workspace/${workspace}/billing/`, 409)
  assert.equal(body.error, 'managed_by_organization')
})

test('wrong values are refused with the name of their member', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const path = `organization/${organization}/billing/`
  for (const [change, field] of [
    [{ country: 'Germany' }, 'country'],
    [{ email: 'nobody' }, 'email'],
    [{ interval: 'week' }, 'interval'],
    [{ unknown: 1 }, 'unknown'],
  ] as const) {
    const { body } = await alice.api.patch<Refusal>(path, change, 400)
    assert.match(JSON.stringify(body), new RegExp(`"${field}`))
  }
  const { body } = await alice.api.post<Refusal>(`${path}checkout/`, {}, 409)
  assert.equal(body.error, 'payments_not_collected')
})

test('staff list all invoices, and others none', async () => {
  await admin.get('billing/invoice/?page_size=1')
  await alice.api.get('billing/invoice/', 403)
  await admin.post(`billing/invoice/${plan}/mark_paid/`, {}, 404)
  await admin.post(`billing/invoice/${plan}/credit_note/`, { memo: 'x' }, 404)
})

test('the page shows what is to be paid, and keeps the details', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const path = `/organization/${organization}/billing/`
  const { browser, page } = await signInAt(path, alice)
  assert.match(page.text, /There are no invoices yet/)
  const values = { name: 'Alice Ltd.', country: 'fr', interval: 'year' }
  const saved = await browser.submit(page, values, path)
  assert.match(saved.text, /The details are saved/)
  const { body } = await alice.api.get<Billing>(path.slice(1))
  assert.deepEqual([body.name, body.interval], ['Alice Ltd.', 'year'])
  const refused = await browser.submit(page, { country: '?' }, path)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /code of two letters/)
})
