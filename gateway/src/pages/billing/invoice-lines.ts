import { create } from '@bufbuild/protobuf'
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { type Html, html } from '@figbase/kit/text'
import { type Amounts, type InvoiceLine, InvoiceLineKind } from '@figbase/proto/catalog/billing'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { nameHtml } from '../text.js'

const names: Record<InvoiceLineKind, MessageKey> = {
  [InvoiceLineKind.UNSPECIFIED]: 'invoice.item',
  [InvoiceLineKind.PLAN]: 'invoice.plan',
  [InvoiceLineKind.SEATS]: 'invoice.seats',
  [InvoiceLineKind.STORAGE]: 'invoice.storage',
  [InvoiceLineKind.COMPUTE]: 'invoice.compute',
  [InvoiceLineKind.AI]: 'invoice.ai',
  [InvoiceLineKind.TAX]: 'invoice.tax',
}

/** What a month costs, as a table. `more`: rows after the total. */
export function linesTable(
  texts: Texts,
  { lines, subtotalMinor, totalMinor }: Amounts,
  currency: string,
  more: Html = html``,
): Html {
  const { t, money } = texts
  const isTax = ({ kind }: InvoiceLine) => kind === InvoiceLineKind.TAX
  const items = lines.filter((line) => !isTax(line)).map((line) => itemRow(texts, line, currency))
  const taxes = lines
    .filter(isTax)
    .map((line) => sumRow(taxName(texts, line), money(line.amountMinor, currency)))
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t('invoice.item')}"><table class="cells">
<thead><tr><th scope="col">${t('invoice.item')}</th><th scope="col" class="number">${t('invoice.quantity')}</th><th scope="col" class="number">${t('invoice.price')}</th><th scope="col" class="number">${t('invoice.amount')}</th></tr></thead>
<tbody>${items}</tbody>
<tfoot>${sumRow(t('invoice.subtotal'), money(subtotalMinor, currency))}${taxes}${sumRow(html`<strong>${t('invoice.total')}</strong>`, money(totalMinor, currency))}${more}</tfoot></table></div>`
}

/** A month ends with its last second. */
const lastDayOf = ({ seconds }: Timestamp): Timestamp =>
  create(TimestampSchema, { seconds: seconds - 1n })

/** With all digits, so that the reader can check the amount. */
const quantityOf = ({ locale }: Texts, quantity: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(Number(quantity))

function itemRow(texts: Texts, line: InvoiceLine, currency: string): Html {
  const { t, money, date } = texts
  const { kind, name, quantity, unitMinor, amountMinor, from, to } = line
  const label = t(names[kind] ?? 'invoice.item', { name: nameHtml(name) })
  const time =
    from && to
      ? html`<span class="quiet">${t('invoice.planTime', { from: date(from), to: date(lastDayOf(to)) })}</span>`
      : html``
  return html`<tr><td>${label} ${time}</td><td class="number">${quantityOf(texts, quantity)}</td><td class="number">${money(unitMinor, currency)}</td><td class="number">${money(amountMinor, currency)}</td></tr>`
}

const taxName = (texts: Texts, { name, quantity }: InvoiceLine): Html =>
  texts.t('invoice.tax', { name: nameHtml(name), percent: quantityOf(texts, quantity) })

export const sumRow = (label: Html, amount: string): Html =>
  html`<tr><td colspan="3">${label}</td><td class="number">${amount}</td></tr>`
