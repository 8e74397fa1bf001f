import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { PaymentState } from '@figbase/proto/catalog/billing'
import {
  collectPaymentJob,
  creditPaymentJob,
  readPaymentJob,
} from '../src/jobs/collect-payments.js'
import { createHolder, createPlan, issueAll, staff, startBilling } from './billing-support.js'
import {
  type StripeServer,
  secretKey,
  startStripeServer,
  webhookSecret,
} from './support/stripe-server.js'
import {
  ada,
  assertError,
  bob,
  denied,
  nobody,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let stripe: StripeServer
let catalog: TestCatalog
let planId: string
before(async () => {
  stripe = await startStripeServer()
  const settings = {
    BILLING_PROVIDER: 'stripe',
    PUBLIC_URL: 'https://figbase.example.org',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: stripe.url,
    STRIPE_TIMEOUT: '2s',
  }
  const waiting = [collectPaymentJob, creditPaymentJob, readPaymentJob].map(({ name }) => name)
  catalog = await startBilling(settings, waiting)
  planId = await createPlan(catalog)
})
after(async () => {
  await catalog[Symbol.asyncDispose]()
  await stripe[Symbol.asyncDispose]()
})
beforeEach(() => {
  stripe.faults.length = 0
  stripe.requests.length = 0
})

const signal = new AbortController().signal

/** An issued invoice of a new workspace, whose job the test runs itself. */
async function issued() {
  const nodeId = await createHolder(catalog, planId, '2026-01')
  await issueAll(catalog, '2026-01')
  const holder = { nodeId, type: WORKSPACE }
  const { invoices } = await catalog.billing.listInvoices(holder, ada)
  return { holder, invoiceId: invoices.at(-1)?.id ?? '' }
}

const collect = (invoiceId: string) => collectPaymentJob.run(catalog.ctx, { invoiceId }, signal, 1)
const read = (objectId: string) => readPaymentJob.run(catalog.ctx, { objectId }, signal, 1)

const ofStripe = (invoiceId: string) =>
  stripe.all('in').filter(({ metadata }) => metadata.figbase_invoice === invoiceId)

async function stateOf(invoiceId: string) {
  const { invoice } = await catalog.billing.getAnyInvoice({ invoiceId }, staff)
  return invoice?.paymentState
}

test('Stripe collects the total of an invoice, once, whatever fails and however often it is repeated', async () => {
  const faults = ['POST /v1/customers', 'POST /v1/invoices$', 'POST /v1/invoiceitems', 'finalize']
  for (const kind of ['error', 'lost'] as const) {
    for (const path of faults) {
      const { holder, invoiceId } = await issued()
      // More often than the library repeats it.
      stripe.faults.push(...Array.from({ length: 3 }, () => ({ path: new RegExp(path), kind })))
      await assert.rejects(async () => collect(invoiceId), `${kind} ${path}`)
      stripe.faults.length = 0
      // Within the day for which Stripe knows the keys.
      const change = { name: 'Another name', email: 'another@example.org' }
      await catalog.billing.updateBilling({ ...holder, ...change }, ada)
      await collect(invoiceId)
      stripe.forgetKeys()
      await collect(invoiceId)
      const [one, ...others] = ofStripe(invoiceId)
      assert.deepEqual([one?.total, one?.status, others], [1488, 'open', []], `${kind} ${path}`)
    }
  }
  assert.ok(stripe.requests.every(({ method, key }) => method === 'GET' || key))
})

test('a crash after a request of which Stripe has forgotten the key bills nothing twice', async () => {
  for (const path of ['POST /v1/invoices$', 'POST /v1/invoiceitems', 'finalize']) {
    const { invoiceId } = await issued()
    stripe.faults.push(
      ...Array.from({ length: 3 }, () => ({ path: new RegExp(path), kind: 'lost' as const })),
    )
    await assert.rejects(async () => collect(invoiceId))
    stripe.faults.length = 0
    stripe.forgetKeys()
    await collect(invoiceId)
    const [one, ...others] = ofStripe(invoiceId)
    assert.deepEqual([one?.total, one?.status, others], [1488, 'open', []], path)
  }
})

test('events change the state of a payment; repeated, reordered and old ones do no harm', async () => {
  const { invoiceId } = await issued()
  await collect(invoiceId)
  const [invoice] = ofStripe(invoiceId)
  assert.ok(invoice)
  await read(invoice.id)
  const { invoice: open } = await catalog.billing.getAnyInvoice({ invoiceId }, staff)
  assert.deepEqual(
    [open?.paymentState, open?.paymentUrl],
    [PaymentState.OPEN, `https://invoice.stripe.test/${invoice.id}`],
  )
  const send = (event: ReturnType<StripeServer['event']>) =>
    catalog.billing.receiveProviderEvent(event, nobody)
  invoice.attempted = true
  const failed = stripe.event('invoice.payment_failed', { ...invoice })
  await send(failed)
  await read(invoice.id)
  assert.equal(await stateOf(invoiceId), PaymentState.FAILED)
  Object.assign(invoice, { status: 'paid', status_transitions: { paid_at: 1_790_000_000 } })
  const paid = stripe.event('invoice.paid', { ...invoice })
  await send(paid)
  await send(paid)
  await send(failed)
  // The older event arrives last: what the invoice is now counts.
  await send(stripe.event('invoice.payment_failed', { ...invoice, status: 'open' }))
  await read(invoice.id)
  assert.equal(await stateOf(invoiceId), PaymentState.PAID)
  const jobs = await catalog.query<{ key: string }>(
    `select key from job where name = 'read-payment' and key = '${invoice.id}'`,
  )
  assert.equal(jobs.length, 1)
})

test('events with a wrong or old signature, or a changed body, are refused', async () => {
  const { billing } = catalog
  const object = { id: 'in_unknown', metadata: {} }
  const good = stripe.event('invoice.paid', object)
  const changed = { ...good, payload: Buffer.from(good.payload.toString().replace('paid', 'void')) }
  for (const event of [
    stripe.event('invoice.paid', object, { secret: 'whsec_other' }),
    stripe.event('invoice.paid', object, { ageSeconds: 600 }),
    changed,
    { ...good, signature: '' },
    { ...good, signature: 't=x,v1=y' },
    { payload: Buffer.from('{'), signature: good.signature },
  ]) {
    await assertError(billing.receiveProviderEvent(event, nobody), { code: 'InvalidArgument' })
  }
  const large = { payload: Buffer.alloc((1 << 20) + 1), signature: '' }
  await assertError(billing.receiveProviderEvent(large, nobody), { code: 'InvalidArgument' })
  // Correctly signed, but about nothing of Figbase.
  await billing.receiveProviderEvent(
    stripe.event('product.created', { id: 'prod_1', metadata: {} }),
    nobody,
  )
  assert.deepEqual(await catalog.query(`select from job where key = 'prod_1'`), [])
})

test('a manager stores a payment method on a page of Stripe; then invoices are charged', async () => {
  const { billing } = catalog
  const { holder, invoiceId } = await issued()
  await billing.updateBilling({ ...holder, email: 'ada@example.org' }, ada)
  await collect(invoiceId)
  assert.equal(ofStripe(invoiceId)[0]?.collection_method, 'send_invoice')
  const { url } = await billing.createCheckout(holder, ada)
  assert.equal(url, 'https://checkout.stripe.test/c')
  const session = stripe.all('cs_test').at(-1)
  assert.ok(session)
  assert.deepEqual(
    [session.mode, session.success_url],
    ['setup', `https://figbase.example.org/workspace/${holder.nodeId}/billing/`],
  )
  const method = { id: 'pm_1', customer: session.customer, metadata: {} }
  stripe.objects.set(method.id, method)
  await billing.receiveProviderEvent(stripe.event('checkout.session.completed', session), nobody)
  await read(session.id)
  assert.equal((await billing.getBilling(holder, ada)).billing?.hasPaymentMethod, true)
  await issueAll(catalog, '2026-02')
  const [next] = (await billing.listInvoices(holder, ada)).invoices
  await collect(next?.id ?? '')
  assert.equal(ofStripe(next?.id ?? '')[0]?.collection_method, 'charge_automatically')
  const portal = await billing.createPortal(holder, ada)
  assert.equal(portal.url, 'https://billing.stripe.test/p')
  await assertError(billing.createPortal(holder, bob), denied)
  await assertError(billing.markInvoicePaid({ invoiceId }, staff), {
    code: 'FailedPrecondition',
    error: 'payments_collected',
  })
  stripe.faults.push(
    ...Array.from({ length: 3 }, () => ({ path: /checkout/, kind: 'error' as const })),
  )
  await assertError(billing.createCheckout(holder, ada), { code: 'Unavailable' })
})

test('a credit note is refunded if the invoice was paid, once', async () => {
  const { billing } = catalog
  const { invoiceId } = await issued()
  await billing.createCreditNote({ invoiceId, netMinor: 100n, reason: 'an outage' }, staff)
  const { invoice } = await billing.getAnyInvoice({ invoiceId }, staff)
  const creditNoteId = invoice?.creditNotes[0]?.id ?? ''
  const credit = async () => creditPaymentJob.run(catalog.ctx, { creditNoteId }, signal, 1)
  await assert.rejects(credit, /not collected yet/)
  await collect(invoiceId)
  const [own] = ofStripe(invoiceId)
  assert.ok(own)
  own.status = 'paid'
  stripe.faults.push(
    ...Array.from({ length: 3 }, () => ({ path: /POST .*credit_notes/, kind: 'lost' as const })),
  )
  await assert.rejects(credit)
  stripe.faults.length = 0
  stripe.forgetKeys()
  await credit()
  const notes = stripe.all('cn').filter((note) => note.invoice === own.id)
  assert.deepEqual(
    notes.map(({ amount, refund_amount, email_type }) => [amount, refund_amount, email_type]),
    [['119', '119', 'none']],
  )
})

test('Figbase mails the invoices of payers with a payment method, Stripe those of others', async () => {
  const nodeId = await createHolder(catalog, planId, '2026-01')
  const holder = { nodeId, type: WORKSPACE }
  await catalog.billing.updateBilling({ ...holder, email: 'ada@example.org' }, ada)
  await issueAll(catalog, '2026-02')
  assert.deepEqual(aboutHolder(nodeId), [])
  await catalog.query(
    `update billing_account set has_payment_method = true where holder_id = '${nodeId}'`,
  )
  await issueAll(catalog, '2026-03')
  const [mail, ...others] = aboutHolder(nodeId)
  assert.deepEqual(others, [])
  assert.match(mail?.text ?? '', /It is for March 2026[\s\S]*charged to your payment method\./)
  // Whoever mailed the invoice.
  const { invoices } = await catalog.billing.listInvoices(holder, ada)
  const invoiceId = invoices.at(-1)?.id ?? ''
  await catalog.billing.createCreditNote({ invoiceId, netMinor: 100n, reason: 'x' }, staff)
  const [note, ...moreNotes] = aboutHolder(nodeId)
  assert.deepEqual(moreNotes, [])
  assert.match(note?.text ?? '', /Credit note CN-\d+ was[\s\S]*the amount is refunded\./)
})

const aboutHolder = (id: string) =>
  catalog.takeMails().filter(({ text }) => text.includes(`/workspace/${id}/`))
