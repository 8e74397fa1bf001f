import { type Html, html } from '@figbase/kit/text'
import { type Billing, BillingInterval } from '@figbase/proto/catalog/billing'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { invoiceHtml } from './invoice-html.js'
import { linesTable } from './invoice-lines.js'
import { invoiceList } from './invoice-list.js'

const query = {
  query: z.object({ cursor: z.string().max(1000).optional(), done: z.string().optional() }),
}

/** What organizations and workspaces pay. The services refuse it to those who may not manage. */
export const billingPages: Route[] = [kinds.workspace, kinds.organization].flatMap((kind) => {
  const path = `/${kind.segment}/:id/billing/`
  return [
    userPage(path, (input) => billingPage(input, kind), query),
    userForm(path, (input) => save(input, kind)),
    userForm(`${path}payment/`, (input) => openProvider(input, kind)),
    userPage(`${path}:invoice/`, (input) => invoicePage(input, kind)),
  ]
})

const pathOf = (input: Input, { type }: Kind) => `${pagePath({ id: idIn(input), type })}billing/`

async function billingPage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed?: FormValues,
): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { type } = kind
  const id = idIn(input)
  const { cursor: pageToken = '' } = (input.query ?? {}) as { cursor?: string }
  const holder = { nodeId: id, type }
  const [placed, answer, { invoices, nextPageToken }] = await Promise.all([
    getPlaced(input, id, type),
    services.billing.getBilling(holder, call),
    services.billing.listInvoices({ ...holder, pageSize: cfg.pageItemsMax, pageToken }, call),
  ])
  const billing = required(answer.billing)
  const path = pathOf(input, kind)
  const done = doneOf(input, { saved: 'billing.saved' })
  return {
    ...(problem && { status: problem.status }),
    title: t('billing.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<h1>${t('billing.title')}</h1>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}
<p>${t('billing.current', { name: nameHtml(billing.planName), seats: billing.seats })}</p>
${estimate(texts, billing)}
<h2>${t('billing.invoices')}</h2>${invoiceList(texts, invoices, (invoice) => `${path}${invoice.id}/`)}${nextLink(input, nextPageToken)}
${payment(input, path, billing)}
<h2>${t('billing.details')}</h2>${detailsForm(input, path, typed ?? valuesOf(billing))}`,
  }
}

function estimate(texts: Texts, { estimate: amounts, currency, period }: Billing): Html {
  const { t, month } = texts
  const shown = !amounts
    ? html`<p class="quiet">${t('billing.noEstimate')}</p>`
    : amounts.lines.length === 0
      ? html`<p>${t('billing.nothing')}</p>`
      : html`<p class="quiet">${t('billing.estimateWhat')}</p>${linesTable(texts, amounts, currency)}`
  return html`<h2>${t('billing.estimate', { month: month(period) })}</h2>${shown}`
}

function payment(input: Input, path: string, { provider, hasPaymentMethod }: Billing): Html {
  if (provider === 'none') return html``
  const { t } = textsOf(input)
  return html`<h2>${t('billing.payment')}</h2><p>${t(hasPaymentMethod ? 'billing.hasMethod' : 'billing.noMethod')}</p>
<form class="inline" method="post" action="${path}payment/">${formToken(input)}<div class="buttons"><button name="page" value="checkout">${t('billing.checkout')}</button><button name="page" value="portal" class="secondary">${t('billing.portal')}</button></div></form>`
}

const valuesOf = ({ details, interval }: Billing): FormValues => ({
  name: details?.name ?? '',
  address: details?.address ?? '',
  country: details?.country ?? '',
  tax_id: details?.taxId ?? '',
  email: details?.email ?? '',
  interval: interval === BillingInterval.YEAR ? 'year' : 'month',
})

const intervals: [string, MessageKey][] = [
  ['month', 'billing.month'],
  ['year', 'billing.year'],
]

function detailsForm(input: Input, path: string, values: FormValues): Html {
  const { t } = textsOf(input)
  const field = (name: string, label: MessageKey, charsMax: number, type = 'text') =>
    html`<label>${t(label)} <input type="${type}" name="${name}" value="${values[name] ?? ''}" maxlength="${String(charsMax)}"></label>`
  return html`<form method="post" action="${path}">${formToken(input)}
${field('name', 'billing.name', 200)}
<label>${t('billing.address')} <textarea name="address" rows="4" maxlength="1000">
${values.address ?? ''}</textarea></label>
${field('country', 'billing.country', 2)}${field('tax_id', 'billing.taxId', 50)}${field('email', 'billing.email', 320, 'email')}
<fieldset class="options"><legend>${t('billing.interval')}</legend>${intervals.map(
    ([name, label]) =>
      html`<label class="check"><input type="radio" name="interval" value="${name}"${name === values.interval ? html` checked=""` : html``}> ${t(label)}</label>`,
  )}</fieldset><button>${t('edit.save')}</button></form>`
}

const intervalOf: Record<string, BillingInterval> = {
  month: BillingInterval.MONTH,
  year: BillingInterval.YEAR,
}

function save(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { body, services, call } = input
  const { name, address, country, tax_id: taxId, email, interval } = body
  const request = {
    nodeId: idIn(input),
    type: kind.type,
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address: address.replaceAll('\r\n', '\n') }),
    ...(country !== undefined && { country }),
    ...(taxId !== undefined && { taxId }),
    ...(email !== undefined && { email }),
    ...(interval !== undefined && {
      interval: Object.hasOwn(intervalOf, interval)
        ? (intervalOf[interval] ?? BillingInterval.UNSPECIFIED)
        : BillingInterval.UNSPECIFIED,
    }),
  }
  const work = services.billing.updateBilling(request, call)
  return resultOf(work, `${pathOf(input, kind)}?done=saved`, (problem) =>
    billingPage({ ...input, query: {} }, kind, problem, body),
  )
}

/** Leads to the provider with a link, because browsers refuse redirects of forms to other sites. */
async function openProvider(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { services, call, body } = input
  const holder = { nodeId: idIn(input), type: kind.type }
  const opened = await tried<{ url: string }>(
    body.page === 'portal'
      ? services.billing.createPortal(holder, call)
      : services.billing.createCheckout(holder, call),
  )
  if (opened.problem) {
    const { problem } = opened
    const page = await billingPage({ ...input, query: {} }, kind, problem)
    return { status: problem.status, page }
  }
  const { t } = textsOf(input)
  const { url } = opened.value
  return {
    status: 200,
    page: {
      title: t('billing.payment'),
      content: html`<h1>${t('billing.payment')}</h1><p>${t('billing.leaving')}</p>
<p><a class="button" href="${url}" rel="noopener">${t('billing.continue')}</a></p>`,
    },
  }
}

async function invoicePage(input: Input, kind: Kind): Promise<Page> {
  const { services, call, params } = input
  const texts = textsOf(input)
  const id = idIn(input)
  const request = { nodeId: id, type: kind.type, invoiceId: params.invoice ?? '' }
  const [placed, answer] = await Promise.all([
    getPlaced(input, id, kind.type),
    services.billing.getInvoice(request, call),
  ])
  const invoice = required(answer.invoice)
  const title = texts.t('invoice.title', { number: invoice.number })
  return {
    title,
    content: html`<div class="no-print">${pathTo(texts, placed)}<p class="kind"><a href="${pathOf(input, kind)}">${texts.t('billing.title')}</a></p></div>
${invoiceHtml(texts, invoice, html`<h1>${title}</h1>`)}`,
  }
}
