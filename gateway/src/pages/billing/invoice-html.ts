import { type Html, html } from '@figbase/kit/text'
import { type CreditNote, type Invoice, PaymentState } from '@figbase/proto/catalog/billing'
import { required } from '../../required.js'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { linesTable, sumRow } from './invoice-lines.js'

const states: Record<PaymentState, MessageKey> = {
  [PaymentState.UNSPECIFIED]: 'invoice.unknown',
  [PaymentState.OPEN]: 'invoice.open',
  [PaymentState.PAID]: 'invoice.paid',
  [PaymentState.FAILED]: 'invoice.failed',
  [PaymentState.CREDITED]: 'invoice.credited',
}

/** Whether an invoice is paid, as a mark. */
export const stateOf = ({ t }: Texts, { paymentState }: Invoice): Html =>
  html`<span class="mark">${t(states[paymentState] ?? 'invoice.unknown')}</span>`

/** An invoice as it is printed. */
export function invoiceHtml(texts: Texts, invoice: Invoice, heading: Html = html``): Html {
  const { t, date, month, money } = texts
  const { issuedOn, dueOn, period, currency, buyer, paymentState } = invoice
  const amounts = required(invoice.amounts)
  const left = amounts.totalMinor - invoice.creditedMinor
  const isLeft = paymentState === PaymentState.OPEN || paymentState === PaymentState.FAILED
  const more = isLeft ? sumRow(t('invoice.left'), money(left, currency)) : html``
  const pay =
    isLeft && invoice.paymentUrl
      ? html`<p class="no-print"><a class="button" href="${invoice.paymentUrl}" rel="noopener">${t('invoice.pay')}</a></p>`
      : html``
  const taxNumber = buyer?.taxId ? html`\n${t('invoice.taxNumber', { id: buyer.taxId })}` : html``
  return html`<article class="invoice">${heading}
<div class="parties"><div><strong>${t('invoice.seller')}</strong>
${invoice.sellerName}
${invoice.sellerAddress}</div><div><strong>${t('invoice.buyer')}</strong>
${buyer?.name ?? ''}
${buyer?.address ?? ''}
${buyer?.country ?? ''}${taxNumber}</div><div><strong>${t('invoice.period')}</strong>
${month(period)}
${t('invoice.issued')} ${date(issuedOn)}
${t('invoice.due')} ${date(dueOn)}
${stateOf(texts, invoice)}</div></div>
${linesTable(texts, amounts, currency, more)}${pay}${creditNotes(texts, invoice)}
<p class="quiet no-print">${t('invoice.print')}</p></article>`
}

function creditNotes(texts: Texts, { creditNotes: notes, currency }: Invoice): Html {
  const { t } = texts
  if (notes.length === 0) return html``
  return html`<h2>${t('invoice.creditNotes')}</h2><ul class="entries">${notes.map((note) => creditNote(texts, note, currency))}</ul>`
}

const creditNote = ({ t, date, money }: Texts, note: CreditNote, currency: string): Html =>
  html`<li><div><strong>${t('invoice.creditNote', { number: note.number })}</strong> <span dir="auto">${note.reason}</span>
<span class="quiet">${date(note.issuedOn)}</span></div><span>${money(-note.totalMinor, currency)}</span></li>`
