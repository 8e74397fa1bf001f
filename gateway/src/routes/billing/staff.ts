import { z } from 'zod'
import { created, type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  invoiceSchema,
  invoiceShape,
  wholeInvoiceSchema,
  wholeInvoiceShape,
} from '../../shapes/billing.js'
import { closedBody } from '../body-members.js'
import { listEndpoint } from '../list.js'

const path = '/billing/invoice/:invoice_id/'
const common = { since: 'v1.4.1', auth: 'required' } as const

const list = listEndpoint({
  ...common,
  path: '/billing/invoice/',
  operationId: 'listInvoices',
  summary: 'List the invoices of all',
  description: 'Only for staff. The newest comes first.',
  item: invoiceSchema,
  // While billing is off.
  errors: { 404: ['not_found'] },
  async readPage({ services, call }, page) {
    const { invoices, nextPageToken } = await services.billing.listAllInvoices(page, call)
    return { items: invoices.map(invoiceShape), nextPageToken }
  },
})

const get = endpoint({
  ...common,
  method: 'GET',
  path,
  idempotent: true,
  operationId: 'getInvoice',
  summary: 'Get an invoice of anybody',
  description: 'Only for staff.',
  responses: { 200: wholeInvoiceSchema },
  async handle({ params, services, call }) {
    const request = { invoiceId: params.invoice_id ?? '' }
    const { invoice } = await services.billing.getAnyInvoice(request, call)
    return ok(wholeInvoiceShape(required(invoice)))
  },
})

const credit = endpoint({
  ...common,
  method: 'POST',
  path: `${path}credit_note/`,
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createCreditNote',
  summary: 'Take back a part of an invoice, or all that is left',
  description: 'Only for staff. Taxes are credited in proportion.',
  body: closedBody({
    amount: z.int('must be a whole number of minor units').nullish(),
    memo: z.string('must be a string'),
  }).meta({ id: 'CreditNoteCreation', description: 'A new credit note.' }),
  responses: { 201: wholeInvoiceSchema },
  errors: { 409: ['fully_credited'] },
  async handle({ params, body: { amount, memo }, services, call }) {
    const request = {
      invoiceId: params.invoice_id ?? '',
      reason: memo,
      ...(typeof amount === 'number' && { netMinor: BigInt(amount) }),
    }
    const { invoice } = await services.billing.createCreditNote(request, call)
    return created(wholeInvoiceShape(required(invoice)))
  },
})

const markPaid = endpoint({
  ...common,
  method: 'POST',
  path: `${path}mark_paid/`,
  idempotent: true,
  operationId: 'markInvoicePaid',
  summary: 'Record that an invoice is paid',
  description: 'Only for staff, and without a provider that collects payments.',
  responses: { 200: wholeInvoiceSchema },
  errors: { 409: ['payments_collected'] },
  async handle({ params, services, call }) {
    const request = { invoiceId: params.invoice_id ?? '' }
    const { invoice } = await services.billing.markInvoicePaid(request, call)
    return ok(wholeInvoiceShape(required(invoice)))
  },
})

export const staff: Endpoint[] = [list, get, credit, markPaid]
