import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import {
  AmountsSchema,
  BillingDetailsSchema,
  BillingInterval,
  CreditNoteSchema,
  type Invoice,
  InvoiceLineKind,
  InvoiceSchema,
  PaymentState,
} from '@figbase/proto/catalog/billing'
import type { Amounts, LineKind, PaysBy } from '../../domain/billing/lines.js'
import { typeOf } from '../../domain/types.js'
import type { AccountRow } from '../../queries/billing-accounts.js'
import type { CreditNoteRow } from '../../queries/credit-notes.js'
import type { InvoiceRow, LineRow } from '../../queries/invoices.js'

export const toInterval = (paysBy: PaysBy): BillingInterval =>
  paysBy === 'year' ? BillingInterval.YEAR : BillingInterval.MONTH

export const paysByOf = new Map<BillingInterval, PaysBy>([
  [BillingInterval.MONTH, 'month'],
  [BillingInterval.YEAR, 'year'],
])

export const toDetails = ({ name, address, country, tax_id, email }: AccountRow) =>
  create(BillingDetailsSchema, { name, address, country, taxId: tax_id, email })

const kinds: Record<LineKind, InvoiceLineKind> = {
  plan: InvoiceLineKind.PLAN,
  seats: InvoiceLineKind.SEATS,
  storage: InvoiceLineKind.STORAGE,
  compute: InvoiceLineKind.COMPUTE,
  ai: InvoiceLineKind.AI,
  tax: InvoiceLineKind.TAX,
}

const atSeconds = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 })

export const toAmounts = ({ lines, ...sums }: Amounts) =>
  create(AmountsSchema, {
    ...sums,
    lines: lines.map(({ kind, from, to, ...line }) => ({
      ...line,
      kind: kinds[kind],
      ...(from !== undefined && { from: atSeconds(from) }),
      ...(to !== undefined && { to: atSeconds(to) }),
    })),
  })

const states = { open: PaymentState.OPEN, paid: PaymentState.PAID, failed: PaymentState.FAILED }

/** Without lines, texts and credit notes. */
export function toListed(row: InvoiceRow): Invoice {
  const credited = row.credited_net_minor + row.credited_tax_minor
  return create(InvoiceSchema, {
    id: row.id,
    number: row.number,
    holderId: row.holder_id,
    holderType: typeOf(row.holder_type),
    period: row.period,
    issuedOn: toTimestamp(row.created_on),
    dueOn: toTimestamp(row.due_on),
    currency: row.currency,
    amounts: {
      subtotalMinor: row.subtotal_minor,
      taxMinor: row.tax_minor,
      totalMinor: row.total_minor,
    },
    creditedMinor: credited,
    paymentState: credited === row.total_minor ? PaymentState.CREDITED : states[row.state],
    paidOn: toTimestampOrNone(row.paid_on),
    paymentUrl: row.payment_url,
  })
}

export function toInvoice(row: InvoiceRow, lines: LineRow[], notes: CreditNoteRow[]): Invoice {
  const invoice = toListed(row)
  invoice.buyer = create(BillingDetailsSchema, JSON.parse(row.buyer))
  invoice.sellerName = row.seller_name
  invoice.sellerAddress = row.seller_address
  invoice.creditNotes = notes.map(toCreditNote)
  invoice.amounts = create(AmountsSchema, {
    subtotalMinor: row.subtotal_minor,
    taxMinor: row.tax_minor,
    totalMinor: row.total_minor,
    lines: lines.map((line) => ({
      kind: kinds[line.kind],
      name: line.name,
      quantity: line.quantity,
      unitMinor: line.unit_minor,
      amountMinor: line.amount_minor,
      from: toTimestampOrNone(line.from_on),
      to: toTimestampOrNone(line.to_on),
    })),
  })
  return invoice
}

const toCreditNote = (note: CreditNoteRow) =>
  create(CreditNoteSchema, {
    id: note.id,
    number: note.number,
    issuedOn: toTimestamp(note.created_on),
    reason: note.reason,
    netMinor: note.net_minor,
    totalMinor: note.net_minor + note.tax_minor,
    taxes: note.tax_names.map((name, at) => ({ name, amountMinor: note.tax_amounts[at] ?? 0n })),
  })
