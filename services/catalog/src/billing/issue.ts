import type { Ctx } from '../context.js'
import type { Amounts } from '../domain/billing/lines.js'
import { periodAfter } from '../domain/billing/month.js'
import { collectPayment } from '../job-names.js'
import { closePeriod, listDue, listPayers, type PayerRow } from '../queries/billing-accounts.js'
import { insertInvoice, takeNumber } from '../queries/invoices.js'
import { getsInvoices, mailInvoice } from './mails.js'
import { readAmounts } from './read-amounts.js'
import { scaleOf } from './record-change.js'

const holdersMax = 100

/**
 * Invoices the oldest month that is due, of some holders. False when no month up to `period` is due any more. A holder whose
 * month costs nothing gets no invoice.
 */
export async function issueDue(ctx: Ctx, period: string, signal?: AbortSignal): Promise<boolean> {
  const due = await listDue(ctx.db, period, holdersMax)
  const [first] = due
  if (!first) return false
  const oldest = first.next_period
  const ids = due.flatMap(({ holder_id, next_period }) =>
    next_period === oldest ? [holder_id] : [],
  )
  const payers = await listPayers(ctx.db, ids)
  const amounts = await readAmounts(ctx, payers, oldest, signal)
  const free: string[] = []
  for (const payer of payers) {
    signal?.throwIfAborted()
    const own = amounts.get(payer.holder_id)
    if (own && own.totalMinor > 0n) await issue(ctx, payer, oldest, own)
    else free.push(payer.holder_id)
  }
  await ctx.write((db) => closePeriod(db, closing(ctx, free, oldest)))
  return true
}

const closing = (ctx: Ctx, ids: string[], period: string) => ({
  ids,
  period,
  next: periodAfter(period),
  scale: scaleOf(ctx),
})

/** Once: the month of the holder ends, and its mail is enqueued, in the same transaction. */
async function issue(ctx: Ctx, payer: PayerRow, period: string, amounts: Amounts) {
  const { billing } = ctx.cfg
  const id = ctx.newId()
  const { holder_id: holderId, holder_type: holderType, name, address, country } = payer
  const { tax_id: taxId, email } = payer
  const site = getsInvoices(ctx, payer) ? await ctx.readSite() : undefined
  await ctx.transact(async (tx) => {
    const [closed] = await closePeriod(tx, closing(ctx, [holderId], period))
    if (!closed) return
    const invoice = {
      ...{ id, holderId, holderType, period },
      number: await takeNumber(tx, billing.invoicePrefix),
      dueMs: billing.dueMs,
      currency: billing.currency,
      buyer: JSON.stringify({ name, address, country, taxId, email }),
      sellerName: billing.sellerName,
      sellerAddress: billing.sellerAddress,
    }
    const dueOn = await insertInvoice(tx, invoice, amounts)
    if (ctx.provider.collects) await ctx.enqueue(tx, collectPayment, { invoiceId: id }, { key: id })
    if (site) {
      const { totalMinor } = amounts
      await mailInvoice(ctx, tx, site, payer, { ...invoice, totalMinor, dueOn })
    }
  })
}
