import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  billingSchema,
  billingShape,
  intervalSchema,
  invoiceSchema,
  invoiceShape,
  toInterval,
  wholeInvoiceSchema,
  wholeInvoiceShape,
} from '../../shapes/billing.js'
import { closedBody } from '../body-members.js'
import { listEndpoint } from '../list.js'
import { nounOf } from '../nouns.js'
import { planResources } from '../plan/subscriptions.js'

type Holder = (typeof planResources)[number]

const common = { since: 'v1.4.1', auth: 'required' } as const
const errors = { 409: ['managed_by_organization'] }
const needs = 'The caller needs the permission MANAGE. 404 while billing is off.'

const get = ({ segment, type }: Holder) =>
  endpoint({
    ...common,
    method: 'GET',
    path: `/${segment}/:id/billing/`,
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Billing`,
    summary: `Get what the plan of ${nounOf(segment).a} costs`,
    description: needs,
    responses: { 200: billingSchema },
    errors,
    async handle({ params, services, call }) {
      const request = { nodeId: params.id ?? '', type }
      const { billing } = await services.billing.getBilling(request, call)
      return ok(billingShape(required(billing)))
    },
  })

const text = z.string('must be a string').optional()

const update = ({ segment, type }: Holder) =>
  endpoint({
    ...common,
    method: 'PATCH',
    path: `/${segment}/:id/billing/`,
    idempotent: true,
    operationId: `update${nounOf(segment).idPart}Billing`,
    summary: `Change who pays the plan of ${nounOf(segment).a}`,
    description: `${needs} Omitted members keep their values.`,
    body: closedBody(
      {
        ...{ name: text, address: text, country: text, tax_id: text, email: text },
        interval: intervalSchema.optional(),
      },
      billingSchema,
    ).meta({ id: 'BillingUpdate', description: 'The members to change.' }),
    responses: { 200: billingSchema },
    errors,
    guard: ({ id = '' }) => ({ id, permission: Permission.MANAGE, type }),
    async handle({ params, body, services, call }) {
      const { tax_id: taxId, interval, name, address, country, email } = body
      const request = {
        nodeId: params.id ?? '',
        type,
        ...(name !== undefined && { name }),
        ...(address !== undefined && { address }),
        ...(country !== undefined && { country }),
        ...(taxId !== undefined && { taxId }),
        ...(email !== undefined && { email }),
        ...(interval && { interval: toInterval(interval) }),
      }
      const { billing } = await services.billing.updateBilling(request, call)
      return ok(billingShape(required(billing)))
    },
  })

const listInvoices = ({ segment, type }: Holder) =>
  listEndpoint({
    ...common,
    path: `/${segment}/:id/billing/invoice/`,
    operationId: `list${nounOf(segment).idPart}Invoices`,
    summary: `List the invoices of ${nounOf(segment).a}`,
    description: `${needs} The newest comes first.`,
    item: invoiceSchema,
    errors,
    async readPage({ params, services, call }, page) {
      const request = { nodeId: params.id ?? '', type, ...page }
      const { invoices, nextPageToken } = await services.billing.listInvoices(request, call)
      return { items: invoices.map(invoiceShape), nextPageToken }
    },
  })

const getInvoice = ({ segment, type }: Holder) =>
  endpoint({
    ...common,
    method: 'GET',
    path: `/${segment}/:id/billing/invoice/:invoice_id/`,
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Invoice`,
    summary: `Get an invoice of ${nounOf(segment).a}`,
    description: needs,
    responses: { 200: wholeInvoiceSchema },
    errors,
    async handle({ params, services, call }) {
      const request = { nodeId: params.id ?? '', type, invoiceId: params.invoice_id ?? '' }
      const { invoice } = await services.billing.getInvoice(request, call)
      return ok(wholeInvoiceShape(required(invoice)))
    },
  })

const addressSchema = z
  .object({ url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'BillingPage', description: 'A page of the provider of payments.' })

const openPage = ({ segment, type }: Holder, name: 'checkout' | 'portal') =>
  endpoint({
    ...common,
    method: 'POST',
    path: `/${segment}/:id/billing/${name}/`,
    idempotent: false,
    idempotencyKey: 'no effect: it makes one more address, which expires',
    operationId: `open${nounOf(segment).idPart}Billing${name === 'checkout' ? 'Checkout' : 'Portal'}`,
    summary:
      name === 'checkout'
        ? `Get the page on which a payment method of ${nounOf(segment).a} is stored`
        : `Get the page with the payments of ${nounOf(segment).a}`,
    description: `${needs} Send the browser to the address, which leads back to Figbase.`,
    responses: { 200: addressSchema },
    errors: { 409: ['managed_by_organization', 'payments_not_collected'] },
    async handle({ params, services: { billing }, call }) {
      const request = { nodeId: params.id ?? '', type }
      const { url } = await (name === 'checkout'
        ? billing.createCheckout(request, call)
        : billing.createPortal(request, call))
      return ok({ url })
    },
  })

export const ofHolder: Endpoint[] = planResources.flatMap((holder) => [
  get(holder),
  update(holder),
  listInvoices(holder),
  getInvoice(holder),
  openPage(holder, 'checkout'),
  openPage(holder, 'portal'),
])
