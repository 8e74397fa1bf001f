import { invalid } from '@figbase/kit/errors'
import type Stripe from 'stripe'
import type { ProviderPayment } from '../../queries/invoice-payments.js'
import type { InvoiceRow } from '../../queries/invoices.js'
import type { BillingSettings } from '../settings.js'
import type { CollectingProvider, Customer, ProviderEvent, ProviderObject } from './port.js'

/** Answers of other versions may lack members that are read here. */
const apiVersion = '2026-10-28.endive'
const retriesMax = 2
const listMax = 100
const invoiceKey = 'figbase_invoice'
const creditNoteKey = 'figbase_credit_note'

/**
 * Stripe collects the total of each invoice with an invoice of its own. The keys of requests are made of ids of Figbase, and
 * metadata is compared before something is created, because Stripe forgets keys after a day. A repeated key must have the
 * same values, so nothing that can change is sent with one.
 */
export function openStripe({ currency, stripe: settings }: BillingSettings): CollectingProvider {
  let opened: Promise<Stripe> | undefined
  const open = () => {
    opened ??= connect(settings)
    return opened
  }
  return {
    collects: true,
    async createCustomer(holderId) {
      const stripe = await open()
      const { id } = await stripe.customers.create(
        { metadata: { figbase_holder: holderId } },
        { idempotencyKey: `customer-${holderId}` },
      )
      return id
    },
    async createCheckout(customer, returnUrl) {
      const stripe = await open()
      const session = await stripe.checkout.sessions.create({
        mode: 'setup',
        customer,
        currency: currency.toLowerCase(),
        success_url: returnUrl,
        cancel_url: returnUrl,
      })
      return session.url ?? returnUrl
    },
    async createPortal(customer, returnUrl) {
      const stripe = await open()
      const session = await stripe.billingPortal.sessions.create({
        customer,
        return_url: returnUrl,
      })
      return session.url
    },
    async collect(customer, invoice) {
      const stripe = await open()
      const draft =
        (await findInvoice(stripe, customer.id, invoice)) ??
        (await createInvoice(stripe, customer, invoice))
      if (draft.status === 'draft') await finalize(stripe, draft, invoice)
      return draft.id
    },
    async credit(note, providerInvoiceId) {
      const stripe = await open()
      const { data } = await stripe.creditNotes.list({ invoice: providerInvoiceId, limit: listMax })
      if (data.some(({ metadata }) => metadata?.[creditNoteKey] === note.id)) return
      const { status } = await stripe.invoices.retrieve(providerInvoiceId)
      const amount = Number(note.net_minor + note.tax_minor)
      await stripe.creditNotes.create(
        {
          invoice: providerInvoiceId,
          amount,
          memo: note.number,
          // Figbase mails credit notes.
          email_type: 'none',
          metadata: { [creditNoteKey]: note.id },
          ...(status === 'paid' && { refund_amount: amount }),
        },
        { idempotencyKey: `credit-note-${note.id}` },
      )
    },
    readEvent: async (payload, signature) =>
      eventOf(await open(), settings.webhookSecret, payload, signature),
    readObject: async (objectId) => readObject(await open(), objectId),
  }
}

/** Loads the library only where Stripe is used. */
async function connect(settings: BillingSettings['stripe']): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(settings.apiUrl)
  return new StripeClient(settings.secretKey, {
    apiVersion,
    telemetry: false,
    timeout: settings.timeoutMs,
    maxNetworkRetries: retriesMax,
    host: hostname,
    port: port || (protocol === 'http:' ? '80' : '443'),
    protocol: protocol === 'http:' ? 'http' : 'https',
  })
}

async function findInvoice(stripe: Stripe, customer: string, { id }: InvoiceRow) {
  const { data } = await stripe.invoices.list({ customer, limit: listMax })
  return data.find(({ metadata }) => metadata?.[invoiceKey] === id)
}

/** Without a payment method, Stripe mails the invoice; without an address, it waits to be paid on its page. */
async function createInvoice(stripe: Stripe, customer: Customer, invoice: InvoiceRow) {
  const { id, name, email, hasPaymentMethod } = customer
  await stripe.customers.update(id, { ...(name && { name }), ...(email && { email }) })
  const method = hasPaymentMethod || !email ? 'charge_automatically' : 'send_invoice'
  return stripe.invoices.create(
    {
      customer: id,
      currency: invoice.currency.toLowerCase(),
      number: invoice.number,
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      metadata: { [invoiceKey]: invoice.id },
      collection_method: method,
      ...(method === 'send_invoice' && { days_until_due: daysUntilDue(invoice) }),
    },
    { idempotencyKey: `invoice-${invoice.id}-${method}` },
  )
}

const dayMs = 86_400_000
const daysUntilDue = ({ created_on, due_on }: InvoiceRow) =>
  Math.max(1, Math.round((Date.parse(due_on) - Date.parse(created_on)) / dayMs))

async function finalize(stripe: Stripe, draft: Stripe.Invoice, invoice: InvoiceRow) {
  const total = Number(invoice.total_minor)
  if (draft.total !== total) {
    await stripe.invoiceItems.create(
      {
        customer: String(draft.customer),
        invoice: draft.id,
        amount: total,
        currency: draft.currency,
        description: `${invoice.number} (${invoice.period})`,
      },
      { idempotencyKey: `total-${invoice.id}` },
    )
  }
  await stripe.invoices.finalizeInvoice(
    draft.id,
    { auto_advance: true },
    { idempotencyKey: `finalize-${invoice.id}` },
  )
}

function paymentOf(invoice: Stripe.Invoice, invoiceId: string): ProviderPayment {
  const paidAt = invoice.status_transitions.paid_at
  const isFailed = invoice.status === 'open' && invoice.attempted
  const isGivenUp = invoice.status === 'uncollectible' || invoice.status === 'void'
  return {
    invoiceId,
    providerInvoiceId: invoice.id,
    state: invoice.status === 'paid' ? 'paid' : isFailed || isGivenUp ? 'failed' : 'open',
    paidOn: paidAt ? new Date(paidAt * 1000).toISOString() : null,
    url: invoice.hosted_invoice_url ?? '',
  }
}

function eventOf(
  stripe: Stripe,
  secret: string,
  payload: Uint8Array,
  signature: string,
): ProviderEvent {
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(payload), signature, secret)
  } catch {
    throw invalid('', 'the event is not signed by Stripe, or was signed too long ago')
  }
  const { id, type, data } = event
  const isRead = /^(invoice\.|customer\.updated$|checkout\.session\.completed$)/.test(type)
  const object = data.object as { id?: string }
  return { id, objectId: isRead ? object.id : undefined }
}

/** By the prefix of the id. */
async function readObject(stripe: Stripe, objectId: string): Promise<ProviderObject> {
  if (objectId.startsWith('in_')) {
    const invoice = await stripe.invoices.retrieve(objectId)
    const own = invoice.metadata?.[invoiceKey]
    return own ? { payment: paymentOf(invoice, own) } : undefined
  }
  if (objectId.startsWith('cs_')) {
    const session = await stripe.checkout.sessions.retrieve(objectId)
    return session.customer ? useNewestMethod(stripe, String(session.customer)) : undefined
  }
  if (!objectId.startsWith('cus_')) return undefined
  const customer = await stripe.customers.retrieve(objectId)
  if (customer.deleted) return { customerId: objectId, hasPaymentMethod: false }
  const method = customer.invoice_settings.default_payment_method
  return { customerId: objectId, hasPaymentMethod: Boolean(method) }
}

/** The payment method that was stored last pays the next invoices. */
async function useNewestMethod(stripe: Stripe, customerId: string) {
  const { data } = await stripe.customers.listPaymentMethods(customerId, { limit: 1 })
  const [newest] = data
  if (newest) {
    await stripe.customers.update(customerId, {
      invoice_settings: { default_payment_method: newest.id },
    })
  }
  return { customerId, hasPaymentMethod: newest !== undefined }
}
