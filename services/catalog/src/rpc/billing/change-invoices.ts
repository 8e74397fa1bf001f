import { invalid } from '@figbase/kit/errors'
import { checkedText } from '@figbase/kit/text'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import { hasAddress, mailCreditNote } from '../../billing/mails.js'
import type { Ctx } from '../../context.js'
import type { Tx } from '../../db/schema.js'
import { creditedTaxes } from '../../domain/billing/credit.js'
import { fullyCredited, paymentsCollected } from '../../errors.js'
import { creditPayment } from '../../job-names.js'
import { listPayers } from '../../queries/billing-accounts.js'
import { insertCreditNote, listCreditNotes } from '../../queries/credit-notes.js'
import { lockPayment, setPaid } from '../../queries/invoice-payments.js'
import { findInvoice, type InvoiceRow, listLines, takeNumber } from '../../queries/invoices.js'
import type { BillingImpl } from '../../routes.js'
import { recordAction } from '../plans/record.js'
import { invoiceNotFound, requireBillingStaff, requireInvoiceId } from './authorize-billing.js'
import { creditNotesMax, readInvoice } from './read-invoices.js'

export function createCreditNote(ctx: Ctx): BillingImpl['createCreditNote'] {
  return async (req, call) => {
    const by = requireBillingStaff(ctx, call)
    const id = requireInvoiceId(req.invoiceId)
    const reason = checkedText('memo', req.reason.trim(), { charsMin: 1, charsMax: 500 })
    const invoice = await findInvoice(ctx.db, id)
    if (!invoice) throw invoiceNotFound()
    await recordAction(ctx, call, StaffActionKind.CREATE_CREDIT_NOTE, invoice.number)
    const noteId = ctx.newId()
    const [payer] = await listPayers(ctx.db, [invoice.holder_id])
    const site = await ctx.readSite()
    const answer = await ctx.transact(async (tx) => {
      const credit = await creditOf(ctx, tx, invoice, req.netMinor)
      const note = { id: noteId, invoiceId: id, by, reason, ...credit }
      await insertCreditNote(tx, note)
      if (payer && hasAddress(payer)) await mailCreditNote(ctx, tx, site, payer, invoice, note)
      if (ctx.provider.collects) {
        await ctx.enqueue(tx, creditPayment, { creditNoteId: noteId }, { key: noteId })
      }
      const response = { invoice: await readInvoice(tx, id) }
      await ctx.record(tx, call, () => response)
      return response
    })
    return answer
  }
}

/** What a credit note takes back. It holds a lock on the invoice, so that notes together do not exceed it. */
async function creditOf(ctx: Ctx, tx: Tx, invoice: InvoiceRow, wanted: bigint | undefined) {
  const { id, subtotal_minor: subtotalMinor } = invoice
  const credited = (await lockPayment(tx, id)) ?? 0n
  const left = subtotalMinor - credited
  if (left === 0n) throw fullyCredited()
  const netMinor = wanted ?? left
  if (netMinor < 1n || netMinor > left) throw invalid('amount', `must be between 1 and ${left}`)
  const notes = await listCreditNotes(tx, id, creditNotesMax)
  if (notes.length === creditNotesMax) {
    throw invalid(
      'amount',
      `there are already ${creditNotesMax} credit notes, which is the maximum`,
    )
  }
  const lines = await listLines(tx, id)
  const taxes = lines.flatMap(({ kind, name, amount_minor: amountMinor }) =>
    kind === 'tax' ? [{ name, amountMinor }] : [],
  )
  return {
    number: await takeNumber(tx, ctx.cfg.billing.creditNotePrefix),
    netMinor,
    taxes: creditedTaxes({ subtotalMinor, taxes }, credited, netMinor),
  }
}

export function markInvoicePaid(ctx: Ctx): BillingImpl['markInvoicePaid'] {
  return async (req, call) => {
    requireBillingStaff(ctx, call)
    if (ctx.provider.collects) throw paymentsCollected()
    const id = requireInvoiceId(req.invoiceId)
    const { number } = await readInvoice(ctx.db, id)
    await recordAction(ctx, call, StaffActionKind.MARK_INVOICE_PAID, number)
    await ctx.write((db) => setPaid(db, id))
    return { invoice: await readInvoice(ctx.db, id) }
  }
}
