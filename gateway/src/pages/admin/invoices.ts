import { type Html, html } from '@figbase/kit/text'
import type { Invoice } from '@figbase/proto/catalog/billing'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { minorOf } from '../../texts/money.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { invoiceHtml } from '../billing/invoice-html.js'
import { invoiceList } from '../billing/invoice-list.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { adminPage, invoicesPath } from './layout.js'

const query = z.object({ cursor: z.string().max(1000).optional() })
const path = `${invoicesPath}:id/`

/** The invoices of all, for staff. */
export const invoicePages: Route[] = [
  userPage(invoicesPath, listPage, { query }),
  userPage(path, (input) => invoicePage(input), doneQuery),
  userForm(path, async (input) => {
    const { services, call, body } = input
    const { amount = '', memo = '' } = body
    const invoice = await readInvoice(input)
    const request = {
      invoiceId: invoice.id,
      reason: memo,
      ...(amount.trim() && { netMinor: minorOf(amount, invoice.currency) ?? 0n }),
    }
    const work = services.billing.createCreditNote(request, call)
    return resultOf(work, `${invoicesPath}${invoice.id}/?done=credited`, (problem) =>
      invoicePage({ ...input, query: {} }, problem, body),
    )
  }),
  userForm(`${path}paid/`, async (input) => {
    const { services, call, params } = input
    const work = services.billing.markInvoicePaid({ invoiceId: params.id ?? '' }, call)
    return resultOf(work, `${invoicesPath}${params.id}/?done=marked`, (problem) =>
      invoicePage({ ...input, query: {} }, problem),
    )
  }),
]

const doneMessages: Record<string, MessageKey> = {
  credited: 'adminInvoices.credited',
  marked: 'adminInvoices.marked',
}

async function listPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const request = { pageSize: cfg.pageItemsMax, pageToken }
  const { invoices, nextPageToken } = await services.billing.listAllInvoices(request, call)
  const list = invoiceList(texts, invoices, ({ id }) => `${invoicesPath}${id}/`)
  return adminPage(input, {
    path: invoicesPath,
    title: texts.t('billing.invoices'),
    content: html`${list}${nextLink(input, nextPageToken)}`,
  })
}

async function readInvoice({ services, call, params }: Input): Promise<Invoice> {
  const request = { invoiceId: params.id ?? '' }
  return required((await services.billing.getAnyInvoice(request, call)).invoice)
}

async function invoicePage(input: Input, problem?: Problem, typed: FormValues = {}): Promise<Page> {
  const texts = textsOf(input)
  const invoice = await readInvoice(input)
  return adminPage(input, {
    path: invoicesPath,
    title: texts.t('invoice.title', { number: invoice.number }),
    problem,
    done: doneOf(input, doneMessages),
    content: html`${invoiceHtml(texts, invoice)}${paidForm(input, invoice)}${creditForm(input, invoice, typed)}`,
  })
}

function paidForm(input: Input, { id, paidOn }: Invoice): Html {
  if (paidOn || input.cfg.billingProvider !== 'none') return html``
  return html`<form class="inline" method="post" action="${invoicesPath}${id}/paid/">${formToken(input)}<button class="secondary">${textsOf(input).t('adminInvoices.markPaid')}</button></form>`
}

function creditForm(input: Input, invoice: Invoice, typed: FormValues): Html {
  const { t } = textsOf(input)
  const { id, currency, creditedMinor, amounts } = invoice
  if (creditedMinor === amounts?.totalMinor) return html``
  return html`<h2>${t('adminInvoices.credit')}</h2><form method="post" action="${invoicesPath}${id}/">${formToken(input)}
<label>${t('adminInvoices.amount', { currency })} <input name="amount" value="${typed.amount ?? ''}" inputmode="decimal" autocomplete="off" maxlength="20"></label>
<label>${t('adminInvoices.memo')} <input name="memo" value="${typed.memo ?? ''}" maxlength="500" required></label>
<button>${t('adminInvoices.create')}</button></form>`
}
