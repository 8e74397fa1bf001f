import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BillingInterval,
  InvoiceLineKind as Kind,
  PaymentState,
} from '@figbase/proto/catalog/billing'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import { issueDue } from '../src/billing/issue.js'
import { recordBilling } from '../src/periodic/record-billing.js'
import { createHolder, createPlan, issueAll, staff, startBilling } from './billing-support.js'
import {
  ada,
  assertError,
  bob,
  createNode,
  denied,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

const signal = new AbortController().signal

test('while billing is off, nothing is recorded, and nothing exists', async () => {
  await using catalog = await startTestCatalog()
  const { id: nodeId } = await createNode(catalog, WORKSPACE)
  await recordBilling.run(catalog.ctx, signal)
  const holder = { nodeId, type: WORKSPACE }
  await assertError(catalog.billing.getBilling(holder, ada), notFound)
  await assertError(catalog.billing.getBilling(holder, nobody), unauthenticated)
  await assertError(catalog.billing.listAllInvoices({}, staff), notFound)
  assert.deepEqual(await catalog.query('select from billing_account'), [])
})

test('an invoice has the plan, seats and overages of a month, and taxes', async () => {
  await using catalog = await startBilling()
  const planId = await createPlan(catalog, {
    maxStorageBytes: 1n << 30n,
    monthlyComputeSeconds: 3600n,
    monthlyTokenQuota: 1_000_000n,
  })
  const nodeId = await createHolder(catalog, planId, '2026-01')
  const holder = { nodeId, type: WORKSPACE }
  const details = { name: 'Ada Ltd.', address: 'Zürich', country: 'ch', email: 'ada@example.org' }
  await catalog.billing.updateBilling({ ...holder, ...details }, ada)
  await catalog.query(`delete from billing_change where changed_on > '2026-02-01'`)
  await catalog.query(`update billing_change set seats = 3, compute_overages_enabled = true`)
  await catalog.query(`insert into stored_month values ('${nodeId}', '2026-01', ${3n << 30n})`)
  catalog.ledgers.seconds.set(`${nodeId} 2026-01`, 9000n)
  catalog.ledgers.tokens?.set(`${nodeId} 2026-01`, 1_500_000n)
  await issueAll(catalog, '2026-01')
  const { invoices } = await catalog.billing.listInvoices(holder, ada)
  assert.equal(invoices.length, 1)
  const invoiceId = invoices[0]?.id ?? ''
  const { invoice } = await catalog.billing.getInvoice({ ...holder, invoiceId }, ada)
  assert.equal(invoice?.number, 'INV-000001')
  assert.deepEqual(
    invoice.amounts?.lines.map(({ kind, name, quantity, unitMinor, amountMinor }) => [
      ...[kind, name, quantity, unitMinor, amountMinor],
    ]),
    [
      [Kind.PLAN, 'Team', '1', 1250n, 1250n],
      [Kind.SEATS, '', '2', 500n, 1000n],
      [Kind.STORAGE, '', '2', 25n, 50n],
      [Kind.COMPUTE, '', '1.5', 40n, 60n],
      [Kind.AI, '', '0.5', 300n, 150n],
      [Kind.TAX, 'MWST', '8.1', 2510n, 203n],
    ],
  )
  const { subtotalMinor, taxMinor, totalMinor } = invoice.amounts ?? {}
  assert.deepEqual([subtotalMinor, taxMinor, totalMinor], [2510n, 203n, 2713n])
  assert.deepEqual(
    [invoice.buyer?.name, invoice.buyer?.country, invoice.sellerName, invoice.sellerAddress],
    ['Ada Ltd.', 'CH', 'Figures Ltd.', '1 Main Street\nBerlin\nTax id 42'],
  )
  assert.deepEqual(
    [invoice.paymentState, invoice.period, invoice.currency],
    [PaymentState.OPEN, '2026-01', 'EUR'],
  )
})

test('missed months are made up for, each once, with the price of their beginning', async () => {
  await using catalog = await startBilling()
  const planId = await createPlan(catalog)
  const nodeId = await createHolder(catalog, planId, '2026-01')
  await issueAll(catalog, '2026-01')
  const terms = { name: 'Team', monthlyCost: 20, annualCost: 100, isSelfService: true }
  await catalog.plans.updatePlan({ id: planId, terms }, staff)
  await issueAll(catalog, '2026-04')
  await issueAll(catalog, '2026-04')
  const { invoices } = await catalog.billing.listInvoices({ nodeId, type: WORKSPACE }, ada)
  assert.deepEqual(
    invoices.map(({ period, number, amounts }) => [period, number, amounts?.subtotalMinor]),
    [
      ['2026-04', 'INV-000004', 2000n],
      ['2026-03', 'INV-000003', 2000n],
      ['2026-02', 'INV-000002', 1250n],
      ['2026-01', 'INV-000001', 1250n],
    ],
  )
})

test('while a ledger is unavailable, no invoice is issued and there is no estimate', async () => {
  await using catalog = await startBilling()
  const nodeId = await createHolder(catalog, await createPlan(catalog), '2026-01')
  const tokens = catalog.ledgers.tokens
  catalog.ledgers.tokens = undefined
  await assert.rejects(issueDue(catalog.ctx, '2026-01'), /AI is down/)
  assert.deepEqual(await catalog.query('select from invoice'), [])
  const holder = { nodeId, type: WORKSPACE }
  assert.equal((await catalog.billing.getBilling(holder, ada)).billing?.estimate, undefined)
  catalog.ledgers.tokens = tokens
  await issueAll(catalog, '2026-01')
  assert.equal((await catalog.billing.listInvoices(holder, ada)).invoices.length, 1)
  const { billing } = await catalog.billing.getBilling(holder, ada)
  assert.deepEqual([billing?.period, billing?.estimate?.subtotalMinor], ['2026-02', 1250n])
})

test('concurrent runs and rollbacks leave no gap in the numbers, and mail each invoice once', async () => {
  await using catalog = await startBilling()
  const planId = await createPlan(catalog)
  for (let i = 0; i < 12; i++) await createHolder(catalog, planId, '2026-01')
  await catalog.query(`update billing_account set email = 'books@example.org'`)
  // Each third invoice fails once, after its number was taken.
  await catalog.query(`create table failed (holder_id uuid primary key)`)
  await catalog.query(`create sequence attempts`)
  await catalog.query(`create function fail_some() returns trigger language plpgsql as $$
    begin
      if nextval('attempts') % 3 = 0 then raise exception 'a failure of the test'; end if;
      return new;
    end $$`)
  await catalog.query(
    `create trigger fail_some before insert on invoice for each row execute function fail_some()`,
  )
  const run = async () => {
    for (;;) {
      const isDone = await issueDue(catalog.ctx, '2026-02').then(
        (more) => !more,
        (error: Error) => {
          assert.match(error.message, /a failure of the test/)
          return false
        },
      )
      if (isDone) return
    }
  }
  await Promise.all([run(), run(), run(), run()])
  const rows = await catalog.query<{ number: string }>('select number from invoice order by number')
  const numbers = Array.from({ length: 24 }, (_, at) => `INV-${String(at + 1).padStart(6, '0')}`)
  assert.deepEqual(
    rows.map(({ number }) => number),
    numbers,
  )
  const mailed = catalog.takeMails().map(({ subject }) => /INV-\d+/.exec(subject)?.[0])
  assert.deepEqual(mailed.sort(), numbers)
})

test('what was issued cannot be changed or deleted', async () => {
  await using catalog = await startBilling()
  await createHolder(catalog, await createPlan(catalog), '2026-01')
  await issueAll(catalog, '2026-01')
  const [row] = await catalog.query<{ id: string }>('select id from invoice')
  await catalog.billing.createCreditNote({ invoiceId: row?.id, netMinor: 1n, reason: 'x' }, staff)
  for (const table of ['invoice', 'invoice_line', 'credit_note', 'credit_note_tax']) {
    await assert.rejects(catalog.query(`delete from ${table}`), /cannot change/)
  }
  await assert.rejects(catalog.query('update invoice set total_minor = 0'), /cannot change/)
  await assert.rejects(catalog.query('update invoice_line set amount_minor = 0'), /cannot change/)
  await assert.rejects(catalog.query('update credit_note set net_minor = 0'), /cannot change/)
})

test('credit notes take back parts of an invoice, and never more than all of it', async () => {
  await using catalog = await startBilling()
  const { billing } = catalog
  await createHolder(catalog, await createPlan(catalog), '2026-01')
  await issueAll(catalog, '2026-01')
  const [listed] = (await billing.listAllInvoices({}, staff)).invoices
  const invoiceId = listed?.id ?? ''
  const credit = (netMinor?: bigint) =>
    billing.createCreditNote(
      { invoiceId, reason: 'an outage', ...(netMinor !== undefined && { netMinor }) },
      staff,
    )
  await assertError(credit(1251n), { code: 'InvalidArgument', field: 'amount' })
  await assertError(credit(0n), { code: 'InvalidArgument', field: 'amount' })
  await assertError(billing.createCreditNote({ invoiceId, reason: ' ' }, staff), {
    code: 'InvalidArgument',
    field: 'memo',
  })
  // Only three of these five are possible.
  const outcomes = await Promise.allSettled([
    credit(400n),
    credit(400n),
    credit(400n),
    credit(400n),
    credit(400n),
  ])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)
  const { invoice } = await credit()
  assert.deepEqual(
    invoice?.creditNotes.map(({ number, netMinor, totalMinor }) => [number, netMinor, totalMinor]),
    [
      ['CN-000001', 400n, 476n],
      ['CN-000002', 400n, 476n],
      ['CN-000003', 400n, 476n],
      // The tax of 238 less 228.
      ['CN-000004', 50n, 60n],
    ],
  )
  assert.equal(invoice?.creditedMinor, invoice?.amounts?.totalMinor)
  assert.equal(invoice?.paymentState, PaymentState.CREDITED)
  await assertError(credit(), { code: 'FailedPrecondition', error: 'fully_credited' })
  assert.deepEqual(catalog.staffActions.at(-1), {
    kind: StaffActionKind.CREATE_CREDIT_NOTE,
    target: 'INV-000001',
  })
})

test('staff record payments; managers of others see no invoice', async () => {
  await using catalog = await startBilling()
  const { billing } = catalog
  const nodeId = await createHolder(catalog, await createPlan(catalog), '2026-01')
  const other = await createNode(catalog, WORKSPACE, '', bob)
  await issueAll(catalog, '2026-01')
  const holder = { nodeId, type: WORKSPACE }
  const [listed] = (await billing.listInvoices(holder, ada)).invoices
  const invoiceId = listed?.id ?? ''
  await assertError(billing.getInvoice({ ...holder, invoiceId }, bob), denied)
  await assertError(
    billing.getInvoice({ nodeId: other.id, type: WORKSPACE, invoiceId }, bob),
    notFound,
  )
  await grant(catalog, 'bob', { id: nodeId }, 'creator')
  await assertError(billing.getInvoice({ ...holder, invoiceId }, bob), denied)
  for (const call of [
    () => billing.listAllInvoices({}, ada),
    () => billing.getAnyInvoice({ invoiceId }, ada),
    () => billing.markInvoicePaid({ invoiceId }, ada),
    () => billing.createCreditNote({ invoiceId, reason: 'x' }, ada),
  ]) {
    await assertError(call(), denied)
  }
  const { invoice } = await billing.markInvoicePaid({ invoiceId }, staff)
  assert.equal(invoice?.paymentState, PaymentState.PAID)
  const again = await billing.markInvoicePaid({ invoiceId }, staff)
  assert.deepEqual(again.invoice?.paidOn, invoice?.paidOn)
  await assertError(billing.getAnyInvoice({ invoiceId: 'x' }, staff), notFound)
  await assertError(billing.createCheckout(holder, ada), {
    code: 'FailedPrecondition',
    error: 'payments_not_collected',
  })
  await assertError(billing.receiveProviderEvent({}, nobody), notFound)
})

test('members are counted every hour, a plan at once; a workspace of an organization pays nothing itself', async () => {
  await using catalog = await startBilling()
  const { billing } = catalog
  const planId = await createPlan(catalog)
  const organization = await createNode(catalog, ORGANIZATION)
  const inside = await createNode(catalog, WORKSPACE, organization.id)
  const outside = await createNode(catalog, WORKSPACE)
  await recordBilling.run(catalog.ctx, signal)
  await catalog.plans.changeSubscription(
    { nodeId: organization.id, type: ORGANIZATION, planId },
    ada,
  )
  await grant(catalog, 'bob', inside, 'creator')
  await catalog.query(`update billing_change set changed_on = changed_on - interval '1 day'`)
  await recordBilling.run(catalog.ctx, signal)
  await recordBilling.run(catalog.ctx, signal)
  const rows = await catalog.query<{ holder_id: string; seats: number; plan_name: string }>(
    'select holder_id, seats, plan_name from billing_change order by changed_on, seats',
  )
  assert.deepEqual(
    rows
      .filter(({ holder_id }) => holder_id === organization.id)
      .map(({ seats, plan_name }) => [seats, plan_name]),
    [
      [1, 'Team'],
      [2, 'Team'],
    ],
  )
  assert.equal(rows.filter(({ holder_id }) => holder_id === outside.id).length, 1)
  assert.equal(rows.filter(({ holder_id }) => holder_id === inside.id).length, 0)
  const holder = { nodeId: inside.id, type: WORKSPACE }
  await assertError(billing.getBilling(holder, ada), {
    code: 'FailedPrecondition',
    error: 'managed_by_organization',
  })
  // Deleted: it pays until then, and its account ends with that month.
  await catalog.client.deleteNode({ id: outside.id, type: WORKSPACE }, ada)
  await recordBilling.run(catalog.ctx, signal)
  const [last] = await catalog.query<{ plan_id: string | null }>(
    `select plan_id from billing_change where holder_id = '${outside.id}' order by changed_on desc limit 1`,
  )
  assert.equal(last?.plan_id, null)
})

test('details are validated, and kept where they are omitted', async () => {
  await using catalog = await startBilling()
  const { billing } = catalog
  const { id: nodeId } = await createNode(catalog, WORKSPACE)
  const holder = { nodeId, type: WORKSPACE }
  for (const [change, field] of [
    [{ country: 'Germany' }, 'country'],
    [{ email: 'nobody' }, 'email'],
    // Nothing could be mailed to it.
    [{ email: 'a"b@example.org' }, 'email'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ interval: BillingInterval.UNSPECIFIED }, 'interval'],
  ] as const) {
    await assertError(billing.updateBilling({ ...holder, ...change }, ada), {
      code: 'InvalidArgument',
      field,
    })
  }
  await billing.updateBilling({ ...holder, name: 'Ada', taxId: 'DE1' }, ada)
  const { billing: now } = await billing.updateBilling(
    { ...holder, interval: BillingInterval.YEAR },
    ada,
  )
  assert.deepEqual(
    [now?.details?.name, now?.details?.taxId, now?.interval],
    ['Ada', 'DE1', BillingInterval.YEAR],
  )
  await assertError(billing.updateBilling({ ...holder, name: 'Bob' }, bob), denied)
})
