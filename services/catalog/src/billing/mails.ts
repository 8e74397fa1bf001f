import { toIso, toTimestamp } from '@figbase/kit/db'
import { isEmailAddress, type MailFrame } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { creditNoteMail, invoiceMail } from '../mail/billing.js'
import { publicAddress } from '../public-address.js'
import type { PayerRow } from '../queries/billing-accounts.js'
import type { NewCreditNote } from '../queries/credit-notes.js'
import type { InvoiceRow, NewInvoice } from '../queries/invoices.js'

type MailCtx = Pick<Ctx, 'cfg' | 'provider' | 'sendMail'>

/** The language of payers is not known. */
const frameOf = (site: Site): MailFrame => ({ site, language: '' })

/** Whether a payer gets mails. Accounts of older versions may have addresses that are not valid. */
export const hasAddress = ({ email }: PayerRow): boolean => isEmailAddress(email)

/** Whether Figbase mails invoices to a payer. The provider mails them to those without a payment method. */
export const getsInvoices = ({ provider }: Pick<Ctx, 'provider'>, payer: PayerRow): boolean =>
  hasAddress(payer) && (!provider.collects || payer.has_payment_method)

type NewlyIssued = Pick<NewInvoice, 'id' | 'number' | 'currency' | 'period'> & {
  totalMinor: bigint
  dueOn: string
}

/** Enqueues the mail about an invoice. */
export async function mailInvoice(
  ctx: MailCtx,
  tx: Tx,
  site: Site,
  payer: PayerRow,
  { id, number, currency, period, totalMinor, dueOn }: NewlyIssued,
): Promise<void> {
  const content = invoiceMail(frameOf(site), {
    ...holderOf(ctx, payer, id),
    ...{ number, currency, period, totalMinor },
    dueOn: new Date(toIso(toTimestamp(dueOn))),
    isCharged: ctx.provider.collects,
  })
  await ctx.sendMail(tx, { ...content, to: { address: payer.email } })
}

/** Enqueues the mail about a credit note. */
export async function mailCreditNote(
  ctx: MailCtx,
  tx: Tx,
  site: Site,
  payer: PayerRow,
  { number: invoiceNumber, currency }: Pick<InvoiceRow, 'number' | 'currency'>,
  { invoiceId, number, reason, netMinor, taxes }: NewCreditNote,
): Promise<void> {
  const content = creditNoteMail(frameOf(site), {
    ...holderOf(ctx, payer, invoiceId),
    ...{ number, invoiceNumber, currency, reason },
    totalMinor: taxes.reduce((sum, { amountMinor }) => sum + amountMinor, netMinor),
    isRefunded: ctx.provider.collects,
  })
  await ctx.sendMail(tx, { ...content, to: { address: payer.email } })
}

/** The holder of an invoice, and the page of the invoice. */
function holderOf(ctx: MailCtx, payer: PayerRow, invoiceId: string) {
  const { holder_id: id, holder_type: holder, holder_name: holderName, has_pages } = payer
  const page = `${publicAddress(ctx)}/${holder}/${id}/billing/${invoiceId}/`
  return { holder, holderName, url: has_pages ? page : undefined }
}
