import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

const locked = statement<{ credited_net_minor: bigint }>(`
  select p.credited_net_minor from invoice_payment p where p.invoice_id = $1 for update`)

/** Serializes the credit notes of an invoice. Returns what was credited before; undefined for an unknown invoice. */
export async function lockPayment(tx: Tx, invoiceId: string): Promise<bigint | undefined> {
  return (await locked(tx, invoiceId))[0]?.credited_net_minor
}

const paid = statement<never>(`
  update invoice_payment set state = 'paid', paid_on = now() where invoice_id = $1 and state <> 'paid'`)

export async function setPaid(db: Db, invoiceId: string): Promise<void> {
  await paid(db, invoiceId)
}

export type ProviderPayment = {
  invoiceId: string
  providerInvoiceId: string
  state: 'open' | 'paid' | 'failed'
  paidOn: string | null
  url: string
}

const synced = statement<never, ProviderPayment>(`
  update invoice_payment
     set provider_invoice_id = :providerInvoiceId, state = :state, paid_on = :paidOn::timestamptz, payment_url = :url
   where invoice_id = :invoiceId::uuid`)

/** Stores what the provider knows of a payment now. */
export async function syncPayment(db: Db, payment: ProviderPayment): Promise<void> {
  await synced(db, payment)
}

const collected = statement<never, { invoiceId: string; objectId: string }>(`
  update invoice_payment set provider_invoice_id = :objectId where invoice_id = :invoiceId::uuid`)

/** The invoice of the provider that collects the invoice. */
export async function setProviderInvoice(
  tx: Tx,
  invoiceId: string,
  objectId: string,
): Promise<void> {
  await collected(tx, { invoiceId, objectId })
}
