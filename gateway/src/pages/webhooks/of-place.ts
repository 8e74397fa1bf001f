import { html } from '@figbase/kit/text'
import type { Webhook } from '@figbase/proto/webhooks'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, problemNote, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { entryList, moreThan } from '../lists.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { newSecretPage } from './secret.js'
import { settingsOf, webhookForm } from './webhook-form.js'
import { eventsOf, stateOf } from './webhook-state.js'

/** The webhooks of workspaces and organizations. The services refuse them to those who may not manage. */
export const ofPlacePages: Route[] = [kinds.workspace, kinds.organization].flatMap((kind) => {
  const path = `/${kind.segment}/:id/webhooks/`
  return [
    userPage(path, (input) => listPage(input, kind), doneQuery),
    userForm(path, (input) => create(input, kind)),
  ]
})

const pathOf = (input: Input, { type }: Kind) => `${pagePath({ id: idIn(input), type })}webhooks/`

async function listPage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed: FormValues = {},
): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { type } = kind
  const id = idIn(input)
  const [placed, { webhooks }] = await Promise.all([
    getPlaced(input, id, type),
    services.webhooks.listWebhooks({ placeId: id, placeType: type }, call),
  ])
  const shown = webhooks.slice(0, cfg.pageItemsMax)
  const entries = shown.map((one) => entry(input, one))
  const done = doneOf(input, { deleted: 'webhooks.deleted' })
  return {
    ...(problem && { status: problem.status }),
    title: t('webhooks.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<h1>${t('webhooks.title')}</h1>
<p>${t('webhooks.what', { guide: (text) => html`<a href="/docs/webhooks/">${text}</a>` })}</p>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${entryList(entries, t('webhooks.none'))}${moreThan(texts, shown.length, webhooks.length)}
<h2>${t('webhooks.new')}</h2>
${webhookForm(input, pathOf(input, kind), typed, html`<button>${t('webhooks.create')}</button>`)}`,
  }
}

function entry(input: Input, webhook: Webhook) {
  const texts = textsOf(input)
  const { id, url } = webhook
  return html`<li><div><a href="/webhook/${id}/"><strong dir="ltr">${url}</strong></a> ${stateOf(texts, webhook)}
${eventsOf(texts, webhook)}</div></li>`
}

/** Shows the secret once: the answer is not stored. */
async function create(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { body, services, call } = input
  const request = {
    ...{ placeId: idIn(input), placeType: kind.type, isActive: true },
    ...settingsOf(body),
  }
  const made = await tried(services.webhooks.createWebhook(request, call))
  if (made.problem) {
    const { problem } = made
    return { status: problem.status, page: await listPage(input, kind, problem, body) }
  }
  const { webhook, secret } = made.value
  return { status: 201, page: newSecretPage(input, required(webhook), secret) }
}
