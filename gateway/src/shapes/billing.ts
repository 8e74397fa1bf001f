import { NodeType } from '@figbase/proto/catalog'
import {
  type Billing,
  BillingInterval,
  type Invoice,
  type InvoiceLine,
  InvoiceLineKind,
  PaymentState,
} from '@figbase/proto/catalog/billing'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

const minor = z.int()
const buyerSchema = z.object({
  name: z.string(),
  address: z.string(),
  country: z.string(),
  tax_id: z.string(),
  email: z.string(),
})

export const intervalSchema = z.enum(['month', 'year'])

const lineSchema = z
  .object({
    kind: z.enum(['plan', 'seats', 'storage', 'compute', 'ai', 'tax']),
    name: z.string(),
    quantity: z.string(),
    unit_minor: minor,
    amount_minor: minor,
    from: datetime.nullable(),
    to: datetime.nullable(),
  })
  .meta({ id: 'InvoiceLine', description: 'A line of an invoice.' })

const amounts = { subtotal_minor: minor, tax_minor: minor, total_minor: minor }

export const billingSchema = z
  .object({
    ...buyerSchema.shape,
    interval: intervalSchema,
    plan: uuid,
    plan_name: z.string(),
    seats: z.int(),
    currency: z.string(),
    period: z.string(),
    estimate: z
      .object({ ...amounts, lines: z.array(lineSchema) })
      .nullable()
      .meta({ description: 'What `period` costs if nothing changes; null: unavailable.' }),
    provider: z.enum(['none', 'stripe']),
    has_payment_method: z.boolean(),
  })
  .meta({ id: 'Billing', description: 'What a plan costs, and who pays it.' })

const invoiceMembers = {
  api_id: uuid,
  number: z.string(),
  workspace: uuid.nullable(),
  organization: uuid.nullable(),
  period: z.string(),
  issued_on: datetime,
  due_on: datetime,
  currency: z.string(),
  ...amounts,
  credited_minor: minor,
  payment_status: z.enum(['open', 'paid', 'failed', 'credited']),
  paid_on: datetime.nullable(),
  payment_url: z.string().nullable(),
}

export const invoiceSchema = z
  .object(invoiceMembers)
  .meta({ id: 'Invoice', description: 'An invoice for a month.' })

const creditNoteSchema = z.object({
  api_id: uuid,
  number: z.string(),
  issued_on: datetime,
  memo: z.string(),
  net_minor: minor,
  taxes: z.array(z.object({ name: z.string(), amount_minor: minor })),
  total_minor: minor,
})

export const wholeInvoiceSchema = z
  .object({
    ...invoiceMembers,
    buyer: buyerSchema,
    seller: z.object({ name: z.string(), address: z.string() }),
    lines: z.array(lineSchema),
    credit_notes: z.array(creditNoteSchema),
  })
  .meta({ id: 'WholeInvoice', base: 'Invoice', description: 'An invoice with its lines.' })

const lineShape = ({ kind, name, quantity, unitMinor, amountMinor, from, to }: InvoiceLine) => ({
  kind: InvoiceLineKind[kind]?.toLowerCase(),
  ...{ name, quantity },
  unit_minor: Number(unitMinor),
  amount_minor: Number(amountMinor),
  from: isoOrNull(from),
  to: isoOrNull(to),
})

type Sums = { subtotalMinor: bigint; taxMinor: bigint; totalMinor: bigint }

const sumsShape = (sums?: Sums) => ({
  subtotal_minor: Number(sums?.subtotalMinor ?? 0n),
  tax_minor: Number(sums?.taxMinor ?? 0n),
  total_minor: Number(sums?.totalMinor ?? 0n),
})

const buyerShape = (details: Billing['details']) => ({
  name: details?.name ?? '',
  address: details?.address ?? '',
  country: details?.country ?? '',
  tax_id: details?.taxId ?? '',
  email: details?.email ?? '',
})

export const billingShape = (billing: Billing) => ({
  ...buyerShape(billing.details),
  interval: billing.interval === BillingInterval.YEAR ? 'year' : 'month',
  plan: billing.planId,
  plan_name: billing.planName,
  seats: billing.seats,
  currency: billing.currency,
  period: billing.period,
  estimate: billing.estimate
    ? { ...sumsShape(billing.estimate), lines: billing.estimate.lines.map(lineShape) }
    : null,
  provider: billing.provider,
  has_payment_method: billing.hasPaymentMethod,
})

export const invoiceShape = (invoice: Invoice) => ({
  api_id: invoice.id,
  number: invoice.number,
  workspace: invoice.holderType === NodeType.WORKSPACE ? invoice.holderId : null,
  organization: invoice.holderType === NodeType.ORGANIZATION ? invoice.holderId : null,
  period: invoice.period,
  issued_on: isoOrNull(invoice.issuedOn),
  due_on: isoOrNull(invoice.dueOn),
  currency: invoice.currency,
  ...sumsShape(invoice.amounts),
  credited_minor: Number(invoice.creditedMinor),
  payment_status: PaymentState[invoice.paymentState]?.toLowerCase(),
  paid_on: isoOrNull(invoice.paidOn),
  payment_url: invoice.paymentUrl || null,
})

export const wholeInvoiceShape = (invoice: Invoice) => ({
  ...invoiceShape(invoice),
  buyer: buyerShape(invoice.buyer),
  seller: { name: invoice.sellerName, address: invoice.sellerAddress },
  lines: (invoice.amounts?.lines ?? []).map(lineShape),
  credit_notes: invoice.creditNotes.map((note) => ({
    api_id: note.id,
    number: note.number,
    issued_on: isoOrNull(note.issuedOn),
    memo: note.reason,
    net_minor: Number(note.netMinor),
    taxes: note.taxes.map(({ name, amountMinor }) => ({ name, amount_minor: Number(amountMinor) })),
    total_minor: Number(note.totalMinor),
  })),
})

export const toInterval = (name: z.infer<typeof intervalSchema>): BillingInterval =>
  name === 'year' ? BillingInterval.YEAR : BillingInterval.MONTH
