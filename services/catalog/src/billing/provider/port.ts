import type { AccountRow } from '../../queries/billing-accounts.js'
import type { CreditNoteRow } from '../../queries/credit-notes.js'
import type { ProviderPayment } from '../../queries/invoice-payments.js'
import type { InvoiceRow } from '../../queries/invoices.js'

/** A customer of the provider, and a page of the provider to which a browser is sent. */
export type ProviderPage = { customerId: string; url: string }

/** Something of the provider changed. What it is now is read from the provider, so that the order of events does not matter. */
export type ProviderEvent = { id: string; objectId: string | undefined }

/** What the provider knows of an object now. */
export type ProviderObject =
  | { payment: ProviderPayment }
  | { customerId: string; hasPaymentMethod: boolean }
  | undefined

/** The account of a payer, without what the provider need not know. */
export type Payer = AccountRow

/**
 * Whoever collects the invoices of Figbase. Figbase decides what is invoiced; the provider only collects its total. Each
 * method may be repeated after a failure, and has its effect once.
 */
export type CollectingProvider = {
  collects: true
  createCheckout(payer: Payer, returnUrl: string): Promise<ProviderPage>
  createPortal(payer: Payer, returnUrl: string): Promise<ProviderPage>
  collect(
    payer: Payer,
    invoice: InvoiceRow,
  ): Promise<{ customerId: string; payment: ProviderPayment }>
  /** Takes back what an invoice collects, or has collected. */
  credit(note: CreditNoteRow, providerInvoiceId: string): Promise<void>
  /** Throws 400 unless the provider signed the payload a short time ago. */
  readEvent(payload: Uint8Array, signature: string): ProviderEvent
  readObject(objectId: string): Promise<ProviderObject>
}

export type BillingProvider = { collects: false } | CollectingProvider
