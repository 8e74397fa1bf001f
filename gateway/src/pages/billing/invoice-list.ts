import { type Html, html } from '@figbase/kit/text'
import type { Invoice } from '@figbase/proto/catalog/billing'
import type { Texts } from '../../texts/texts.js'
import { entryList } from '../lists.js'
import { stateOf } from './invoice-html.js'

/** Invoices, with links to their pages. */
export function invoiceList(
  texts: Texts,
  invoices: Invoice[],
  pathOf: (invoice: Invoice) => string,
): Html {
  const { t, month, date, money } = texts
  const entry = (invoice: Invoice) =>
    html`<li><div><a href="${pathOf(invoice)}"><strong>${invoice.number}</strong></a> ${stateOf(texts, invoice)}
<span class="quiet">${month(invoice.period)} · ${date(invoice.issuedOn)}</span></div><span>${money(invoice.amounts?.totalMinor ?? 0n, invoice.currency)}</span></li>`
  return entryList(invoices.map(entry), t('billing.none'))
}
