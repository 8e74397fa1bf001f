import type { CreditNoteRow } from '../../queries/credit-notes.js'
import type { ProviderPayment } from '../../queries/invoice-payments.js'
import type { InvoiceRow } from '../../queries/invoices.js'

/** Something of the provider changed. What it is now is read from the provider, so that the order of events does not matter. */
export type ProviderEvent = { id: string; objectId: string | undefined }

/** What the provider knows of an object now. */
export type ProviderObject =
  | { payment: ProviderPayment }
  | { customerId: string; hasPaymentMethod: boolean }
  | undefined

/** A payer whom the provider knows. `name` and `email` may be empty. */
export type Customer = { id: string; name: string; email: string; hasPaymentMethod: boolean }

/**
 * Whoever collects the invoices of Figbase. Figbase decides what is invoiced; the provider only collects its total. Each
 * method may be repeated after a failure, and has its effect once.
 */
export type CollectingProvider = {
  collects: true
  /** Returns its id, which is stored before anything is done for the customer. */
  createCustomer(holderId: string): Promise<string>
  /** The address of a page on which a payment method is stored; it leads to `returnUrl`. */
  createCheckout(customerId: string, returnUrl: string): Promise<string>
  createPortal(customerId: string, returnUrl: string): Promise<string>
  /** Returns the id of the invoice of the provider. */
  collect(customer: Customer, invoice: InvoiceRow): Promise<string>
  /** Takes back what an invoice collects, or has collected. */
  credit(note: CreditNoteRow, providerInvoiceId: string): Promise<void>
  /** Throws 400 unless the provider signed the payload a short time ago. */
  readEvent(payload: Uint8Array, signature: string): Promise<ProviderEvent>
  readObject(objectId: string): Promise<ProviderObject>
}

export type BillingProvider = { collects: false } | CollectingProvider
