import { defineJob, type Job } from '@figbase/kit/jobs'
import { customerOf } from '../billing/customer.js'
import type { Ctx } from '../context.js'
import { collectPayment, creditPayment, readPayment } from '../job-names.js'
import { findAccount, setPaymentMethod } from '../queries/billing-accounts.js'
import { findCreditNote } from '../queries/credit-notes.js'
import { setProviderInvoice, syncPayment } from '../queries/invoice-payments.js'
import { findInvoice } from '../queries/invoices.js'

const timeoutMs = 5 * 60_000

/** Has the provider collect an invoice. */
export const collectPaymentJob: Job<Ctx, { invoiceId: string }> = defineJob({
  ...collectPayment,
  timeoutMs,
  async run(ctx: Ctx, { invoiceId }) {
    const { db, provider, transact, enqueue } = ctx
    const invoice = await findInvoice(db, invoiceId)
    const payer = invoice && (await findAccount(db, invoice.holder_id))
    if (!provider.collects || !payer) return
    const customer = await customerOf(ctx, provider, payer)
    const objectId = await provider.collect(customer, invoice)
    await transact(async (tx) => {
      await setProviderInvoice(tx, invoiceId, objectId)
      // Only that job stores states, one at a time for each invoice.
      await enqueue(tx, readPayment, { objectId }, { key: objectId })
    })
  },
})

/** Has the provider credit what it collects or collected. */
export const creditPaymentJob: Job<Ctx, { creditNoteId: string }> = defineJob({
  ...creditPayment,
  timeoutMs,
  async run({ db, provider }: Ctx, { creditNoteId }) {
    const note = await findCreditNote(db, creditNoteId)
    const invoice = note && (await findInvoice(db, note.invoice_id))
    if (!provider.collects || !invoice) return
    if (!invoice.provider_invoice_id) throw new Error(`invoice ${invoice.id} is not collected yet`)
    await provider.credit(note, invoice.provider_invoice_id)
  },
})

/** Reads what the provider knows of an object now. */
export const readPaymentJob: Job<Ctx, { objectId: string }> = defineJob({
  ...readPayment,
  timeoutMs,
  async run({ provider, write }: Ctx, { objectId }) {
    if (!provider.collects) return
    const found = await provider.readObject(objectId)
    if (!found) return
    if ('payment' in found) await write((db) => syncPayment(db, found.payment))
    else await write((db) => setPaymentMethod(db, found.customerId, found.hasPaymentMethod))
  },
})
