import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startGateway } from '@figbase/gateway'
import { createFileSystemStore } from '@figbase/kit/objects'
import { compose, Lifecycle } from '@figbase/kit/service'
import { runSql } from '@figbase/kit/testing'
import { services } from '../src/all-in-one.js'
import { mailsIn } from './support/faults/mails.js'
import { until } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const lifecycle = new Lifecycle()
const password = 'correct horse battery'
/** Two instances, like two processes, that share the database and the objects. */
let first: string
let second: string
let databaseUrl: string
let staff: string
let ann: string
let bob: string
let dir: string
const organizations: string[] = []

before(async () => {
  const database = await createMigratedDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  databaseUrl = database.url
  dir = await mkdtemp(join(tmpdir(), 'figbase-billing-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'silent',
    EMBEDDER: 'none',
    OCR_ENABLED: 'false',
    MAIL_DIR: join(dir, 'mail'),
    PORT: '0',
    BILLING_PROVIDER: 'none',
    BILLING_TAXES: '*:VAT:19',
    BILLING_SELLER_NAME: 'Figures Ltd.',
  }
  const start = async () => {
    const objects = createFileSystemStore(join(dir, 'objects'))
    const composition = await compose(services, { env, objects, isolate: true })
    lifecycle.onStop(() => composition[Symbol.asyncDispose]())
    const gateway = await startGateway({ env, ...composition })
    lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
    return gateway.url
  }
  first = await start()
  second = await start()
  const login = { username: 'admin', password }
  staff = (await call(first, 'POST', '/api/token/', '', login)).body.access
  ann = await signUp('ann')
  bob = await signUp('bob')
  const terms = { name: 'Team', monthly_cost: 12.5, is_self_service: true }
  const plan = (await call(first, 'POST', 'plan/', staff, terms)).body.api_id
  for (let i = 0; i < 4; i++) {
    const made = await call(first, 'POST', 'organization/', ann, { name: `Institute ${i}` })
    const { api_id: id } = made.body
    organizations.push(id)
    const chosen = await call(first, 'POST', `organization/${id}/subscription/`, ann, { plan })
    assert.equal(chosen.status, 200)
  }
  const details = {
    name: 'The secret payer',
    address: 'Main Street\nBerlin',
    country: 'DE',
    email: 'books@example.org',
  }
  await call(first, 'PATCH', `organization/${organizations[0]}/billing/`, ann, details)
})
after(() => lifecycle[Symbol.asyncDispose]())

async function call(at: string, method: string, path: string, token = '', body?: object) {
  const response = await fetch(at + (path.startsWith('/') ? path : `/api/v1.4.1/${path}`), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

async function signUp(username: string): Promise<string> {
  const account = { username, email: `${username}@example.org`, password }
  return (await call(first, 'POST', 'user/', '', account)).body.auth.access
}

test('each month since January is invoiced and mailed once, without gaps in the numbers', async () => {
  const holders = organizations.map((id) => `'${id}'`).join(', ')
  await runSql(
    databaseUrl,
    `update catalog.billing_account set next_period = '2026-01' where holder_id in (${holders});
     update catalog.billing_change set changed_on = '2026-01-01T00:00:00Z'
      where (holder_id, changed_on) in (
        select holder_id, max(changed_on) from catalog.billing_change
         where holder_id in (${holders}) group by holder_id);
     delete from catalog.billing_change where changed_on > '2026-01-01T00:00:00Z';
     set search_path = catalog;
     select enqueue_job('issue-invoices', null, '{}', null, 0, null, 25);
     select enqueue_job('issue-invoices', null, '{}', null, 0, null, 25)`,
  )
  const months = new Date().getUTCMonth() + 12 * (new Date().getUTCFullYear() - 2026)
  const expected = organizations.length * months
  const list = () => call(second, 'GET', 'billing/invoice/', staff)
  await until(async () => (await list()).body.length >= expected, 'all invoices')
  const { body } = await list()
  const numbers = body.map((invoice: { number: string }) => invoice.number).sort()
  const without = Array.from(
    { length: expected },
    (_, i) => `INV-${String(i + 1).padStart(6, '0')}`,
  )
  assert.deepEqual(numbers, without)
  assert.ok(body.every((one: { total_minor: number }) => one.total_minor === 1488))
  const unsent = "select from catalog.job where name = 'send-mail'"
  await until(async () => (await runSql(databaseUrl, unsent)).rowCount === 0, 'the mails')
  const path = `organization/${organizations[0]}/billing/invoice/`
  const { body: own } = await call(first, 'GET', path, ann)
  const mailed = (await mailsIn(dir)).filter((mail) => mail.includes('To: books@example.org'))
  assert.deepEqual(
    mailed.map((mail) => /Invoice (INV-\d+) was issued/.exec(mail)?.[1]).sort(),
    own.map((invoice: { number: string }) => invoice.number).sort(),
  )
})

test('an invoice is read by those who manage its payer and by staff, as JSON and as a page', async () => {
  const [own = '', other] = organizations
  const path = `organization/${own}/billing/invoice/`
  const { body: invoices } = await call(first, 'GET', path, ann)
  const { api_id: id } = invoices[0]
  const { body: invoice } = await call(second, 'GET', `${path}${id}/`, ann)
  assert.deepEqual(
    [invoice.buyer.name, invoice.seller.name, invoice.lines.length, invoice.payment_status],
    ['The secret payer', 'Figures Ltd.', 2, 'open'],
  )
  const page = `/organization/${own}/billing/${id}/`
  for (const at of [first, second]) {
    const shown = await call(at, 'GET', page, ann)
    assert.equal(shown.status, 200)
    assert.match(shown.body, /The secret payer[\s\S]*€14\.88/)
    const ofStaff = await call(at, 'GET', `/admin/invoices/${id}/`, staff)
    assert.match(ofStaff.body, /The secret payer/)
  }
  for (const [address, token, status] of [
    [`${path}${id}/`, bob, 403],
    [`${path}${id}/`, staff, 403],
    [`${path}${id}/`, '', 401],
    [`organization/${other}/billing/invoice/${id}/`, ann, 404],
    [`billing/invoice/${id}/`, ann, 403],
    [page, bob, 403],
    [`/organization/${other}/billing/${id}/`, ann, 404],
    [`/admin/invoices/${id}/`, ann, 403],
    ['/admin/invoices/', ann, 403],
  ] as const) {
    const answer = await call(first, 'GET', address, token)
    assert.equal(answer.status, status, `${address} ${token === bob}`)
    assert.doesNotMatch(JSON.stringify(answer.body), /secret payer/)
  }
})

test('staff credit an invoice and record its payment; both are in the log of staff', async () => {
  const { body: invoices } = await call(first, 'GET', 'billing/invoice/?page_size=1', staff)
  const [{ api_id: id, number }] = invoices.items
  const path = `billing/invoice/${id}/`
  const credit = { amount: 250, memo: 'An outage' }
  const credited = await call(first, 'POST', `${path}credit_note/`, staff, credit)
  assert.equal(credited.status, 201, JSON.stringify(credited.body))
  assert.deepEqual(
    [credited.body.credited_minor, credited.body.credit_notes[0].total_minor],
    [298, 298],
  )
  const paid = await call(second, 'POST', `${path}mark_paid/`, staff)
  assert.deepEqual([paid.status, paid.body.payment_status], [200, 'paid'])
  const rest = await call(second, 'POST', `${path}credit_note/`, staff, { memo: 'All of it' })
  assert.deepEqual([rest.body.credited_minor, rest.body.payment_status], [1488, 'credited'])
  const again = await call(first, 'POST', `${path}credit_note/`, staff, credit)
  assert.deepEqual([again.status, again.body.error], [409, 'fully_credited'])
  const { body: actions } = await call(first, 'GET', 'staff_action/?page_size=3', staff)
  assert.ok(actions.items.every(({ target }: { target: string }) => target === number))
})
