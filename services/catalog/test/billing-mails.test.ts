import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { NodeType } from '@figbase/proto/catalog'
import { createHolder, createPlan, issueAll, staff, startBilling } from './billing-support.js'
import { ada, createNode, ORGANIZATION, type TestCatalog, WORKSPACE } from './test-service.js'

let catalog: TestCatalog
let planId: string
before(async () => {
  catalog = await startBilling({ PUBLIC_URL: 'https://figbase.example.org' })
  planId = await createPlan(catalog)
})
after(() => catalog[Symbol.asyncDispose]())

/** A workspace of ada whose invoices are mailed to an address, from the beginning of a month on. */
async function createPayer(email: string, since = '2026-01', plan = planId) {
  const nodeId = await createHolder(catalog, plan, since)
  await catalog.query(`update billing_account set email = '${email}' where holder_id = '${nodeId}'`)
  return { nodeId, type: WORKSPACE }
}

async function invoiceOf(holder: { nodeId: string; type: NodeType }) {
  const { invoices } = await catalog.billing.listInvoices(holder, ada)
  const [invoice] = invoices
  assert.ok(invoice)
  return invoice
}

test('an issued invoice is mailed once, with what it is about and its page', async () => {
  const holder = await createPayer('books@example.org')
  await issueAll(catalog, '2026-01')
  await issueAll(catalog, '2026-01')
  const [mail, ...others] = catalog.takeMails()
  assert.ok(mail)
  assert.deepEqual(others, [])
  const { id, number, dueOn } = await invoiceOf(holder)
  assert.deepEqual(
    [mail.to, mail.subject],
    [{ address: 'books@example.org' }, `Invoice ${number} for “a name”`],
  )
  const due = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const dueDay = due.format(Number(dueOn?.seconds) * 1000)
  for (const part of [
    `Invoice ${number} was issued for the workspace “a name” on Lab 9.`,
    'It is for January 2026, and its total is €14.88.',
    `It is due on ${dueDay}. Please pay it as agreed with the operator of Lab 9.`,
    `https://figbase.example.org/workspace/${holder.nodeId}/billing/${id}/\n`,
  ]) {
    assert.ok(mail.text.includes(part), `${part}\n${mail.text}`)
  }
  assert.equal((await catalog.nextMail()).subject, mail.subject)
})

test('each missed month is mailed, also to an organization', async () => {
  const { id } = await createNode(catalog, ORGANIZATION)
  const holder = { nodeId: id, type: ORGANIZATION }
  await catalog.plans.changeSubscription({ ...holder, planId }, ada)
  await catalog.billing.updateBilling({ ...holder, email: 'books@example.org' }, ada)
  await catalog.query(
    `update billing_account set next_period = '2026-01' where holder_id = '${id}'`,
  )
  await catalog.query(
    `update billing_change set changed_on = '2026-01-01T00:00:00Z' where holder_id = '${id}'`,
  )
  await issueAll(catalog, '2026-03')
  const mails = catalog.takeMails().filter(({ text }) => text.includes(`/organization/${id}/`))
  assert.deepEqual(
    mails.map(({ text }) => /the organization “a name” on Lab 9\. It is for (\w+)/.exec(text)?.[1]),
    ['January', 'February', 'March'],
  )
})

test('nobody is mailed without a valid address or without an invoice', async () => {
  const free = await createPlan(catalog, { name: 'Free', monthlyCost: 0, annualCost: 0 })
  const without = await createPayer('', '2026-05')
  // Addresses were not checked so strictly before.
  const invalid = await createPayer('a"b@example.org', '2026-05')
  await createPayer('books@example.org', '2026-05', free)
  await catalog.query(`update billing_account set email = '' where next_period < '2026-05'`)
  await issueAll(catalog, '2026-05')
  for (const holder of [without, invalid]) {
    const { period, id: invoiceId } = await invoiceOf(holder)
    assert.equal(period, '2026-05')
    await catalog.billing.createCreditNote({ invoiceId, reason: 'An outage' }, staff)
  }
  assert.deepEqual(catalog.takeMails(), [])
})

test('the mail about an invoice has no link if the invoice has no page any more', async () => {
  const holder = await createPayer('books@example.org', '2026-06')
  await catalog.client.deleteNode({ id: holder.nodeId, type: WORKSPACE }, ada)
  await catalog.query(`update billing_account set email = '' where next_period < '2026-06'`)
  await issueAll(catalog, '2026-06')
  const [mail, ...others] = catalog.takeMails()
  assert.deepEqual(others, [])
  assert.match(mail?.text ?? '', /The invoice has no page, because the workspace was deleted/)
  assert.doesNotMatch(`${mail?.text}${mail?.html}`, /https?:/)
})

test('a credit note is mailed to the present address, with its number, invoice and amount', async () => {
  const holder = await createPayer('books@example.org', '2026-07')
  await issueAll(catalog, '2026-07')
  const { id: invoiceId, number } = await invoiceOf(holder)
  catalog.takeMails()
  await catalog.billing.updateBilling({ ...holder, email: 'new@example.org' }, ada)
  const request = { invoiceId, netMinor: 400n, reason: 'An outage' }
  const { invoice } = await catalog.billing.createCreditNote(request, staff)
  const noteNumber = invoice?.creditNotes[0]?.number
  const [mail, ...others] = catalog.takeMails()
  assert.ok(mail)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [mail.to, mail.subject],
    [{ address: 'new@example.org' }, `Credit note ${noteNumber} for “a name”`],
  )
  for (const part of [
    `Credit note ${noteNumber} was issued for the workspace “a name” on Lab 9.`,
    `It takes €4.76 back from invoice ${number}.`,
    '\n> An outage\n',
    `https://figbase.example.org/workspace/${holder.nodeId}/billing/${invoiceId}/\n`,
  ]) {
    assert.ok(mail.text.includes(part), `${part}\n${mail.text}`)
  }
})

test('a refused credit note is not mailed', async () => {
  const holder = await createPayer('books@example.org', '2026-08')
  await issueAll(catalog, '2026-08')
  const { id: invoiceId } = await invoiceOf(holder)
  catalog.takeMails()
  const credit = () => catalog.billing.createCreditNote({ invoiceId, reason: 'x' }, staff)
  const outcomes = await Promise.allSettled([credit(), credit()])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(catalog.takeMails().length, 1)
})
