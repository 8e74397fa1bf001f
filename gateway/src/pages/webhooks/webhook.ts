import { html } from '@figbase/kit/text'
import type { Webhook } from '@figbase/proto/webhooks'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { confirmPage } from '../confirm.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { deliveryList } from './deliveries.js'
import { newSecretPage } from './secret.js'
import { settingsOf, valuesOf, webhookForm } from './webhook-form.js'
import { eventsOf, stateNote, stateOf } from './webhook-state.js'

const address = '/webhook/:id/'
const query = {
  query: z.object({ cursor: z.string().max(1000).optional(), done: z.string().optional() }),
}

/** A webhook: its settings, and what was sent to it. */
export const webhookPages: Route[] = [
  userPage(address, (input) => webhookPage(input), query),
  userForm(address, change),
  userPage(`${address}delete/`, async (input) => {
    const { id, url } = await readWebhook(input)
    const { t } = textsOf(input)
    return confirmPage(input, {
      title: t('webhooks.deleteTitle'),
      text: t('webhooks.deleteQuestion', { url: html`<span dir="ltr">${url}</span>` }),
      action: `/webhook/${id}/delete/`,
      button: t('action.delete'),
      back: `/webhook/${id}/`,
    })
  }),
  userForm(`${address}delete/`, async (input) => {
    const webhook = await readWebhook(input)
    await input.services.webhooks.deleteWebhook({ id: webhook.id }, input.call)
    return { to: `${listPath(webhook)}?done=deleted` }
  }),
]

const listPath = ({ placeId, placeType }: Webhook) =>
  `${pagePath({ id: placeId, type: placeType })}webhooks/`

async function readWebhook(input: Input): Promise<Webhook> {
  const { webhook } = await input.services.webhooks.getWebhook({ id: idIn(input) }, input.call)
  return required(webhook)
}

const doneMessages: Record<string, MessageKey> = {
  saved: 'webhooks.saved',
  tested: 'webhooks.tested',
  activated: 'webhooks.activated',
  deactivated: 'webhooks.deactivated',
  redelivered: 'webhooks.redelivered',
}

async function webhookPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor = '' } = (input.query ?? {}) as { cursor?: string }
  const id = idIn(input)
  const request = { webhookId: id, pageSize: cfg.pageItemsMax, pageToken: cursor }
  const [webhook, { deliveries, nextPageToken }] = await Promise.all([
    readWebhook(input),
    services.webhooks.listWebhookDeliveries(request, call),
  ])
  const { placeId, placeType, url, isActive } = webhook
  const placed = await getPlaced(input, placeId, placeType)
  const done = doneOf(input, doneMessages)
  const path = `/webhook/${id}/`
  const command = (action: string, label: MessageKey) =>
    html`<button name="action" value="${action}" class="secondary">${t(label)}</button>`
  const save = html`<button name="action" value="save">${t('webhooks.save')}</button>`
  return {
    ...(problem && { status: problem.status }),
    title: t('webhooks.one'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind"><a href="${listPath(webhook)}">${t('webhooks.title')}</a> ${stateOf(texts, webhook)}</p>
<h1 dir="ltr">${url}</h1>
<p>${eventsOf(texts, webhook)}</p>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${stateNote(texts, webhook)}
<form class="inline" method="post" action="${path}">${formToken(input)}<div class="buttons">${command('test', 'webhooks.test')}${isActive ? command('deactivate', 'webhooks.deactivate') : command('activate', 'webhooks.activate')}${command('rotate', 'webhooks.rotate')}<a href="${path}delete/">${t('action.delete')}</a></div></form>
<h2>${t('webhooks.deliveries')}</h2>
${deliveryList(input, deliveries, nextPageToken, isActive)}
<h2>${t('webhooks.settings')}</h2>
${webhookForm(input, path, typed ?? valuesOf(webhook), save)}`,
  }
}

async function change(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const { webhooks } = services
  const id = idIn(input)
  const { action = '', delivery = '' } = body
  if (action === 'rotate') return rotate(input, id)
  const save = () => {
    const { events, ...settings } = settingsOf(body)
    return webhooks.updateWebhook({ id, ...settings, events: { names: events } }, call)
  }
  const commands: Record<string, [done: string, run: () => Promise<unknown>]> = {
    save: ['saved', save],
    test: ['tested', () => webhooks.testWebhook({ id }, call)],
    activate: ['activated', () => webhooks.updateWebhook({ id, isActive: true }, call)],
    deactivate: ['deactivated', () => webhooks.updateWebhook({ id, isActive: false }, call)],
    redeliver: ['redelivered', () => webhooks.redeliverWebhookDelivery({ id: delivery }, call)],
  }
  const command = Object.hasOwn(commands, action) ? commands[action] : undefined
  if (!command) throw pageNotFound()
  const [done, run] = command
  const typed = action === 'save' ? body : undefined
  return resultOf(run(), `/webhook/${id}/?done=${done}`, (problem) =>
    webhookPage({ ...input, query: {} }, problem, typed),
  )
}

async function rotate(input: Input<FormValues>, id: string): Promise<FormResult> {
  const made = await tried(input.services.webhooks.rotateWebhookSecret({ id }, input.call))
  if (made.problem) {
    const { problem } = made
    return { status: problem.status, page: await webhookPage({ ...input, query: {} }, problem) }
  }
  const { webhook, secret } = made.value
  return { status: 200, page: newSecretPage(input, required(webhook), secret) }
}
