import { type Html, html } from '@figbase/kit/text'
import { type Dead, DeadKind, type GetStateResponse } from '@figbase/proto/operations'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { pageNotFound } from '../ids.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { adminPage, passwordInput, servicesPath, withPassword } from './layout.js'
import { markOf } from './services.js'

const query = z.object({
  kind: z.enum(['event', 'job']).optional(),
  cursor: z.string().max(1000).optional(),
  done: z.string().optional(),
})

/** The queues of a service, and what failed in them. */
export const servicePages: Route[] = [
  userPage(`${servicesPath}:name/`, (input) => servicePage(input), { query }),
  userForm(`${servicesPath}:name/`, (input) => change(input)),
]

type KindName = 'event' | 'job'

const kinds: Record<KindName, DeadKind> = { event: DeadKind.EVENT, job: DeadKind.JOB }
const titles: Record<KindName, MessageKey> = {
  event: 'services.deadEvents',
  job: 'services.deadJobs',
}

function operationsIn({ params: { name = '' }, services: { operations } }: Input) {
  const found = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!found) throw pageNotFound()
  return { name, operations: found }
}

/** Retries or drops one or all. */
function change(input: Input<FormValues>) {
  const { body, call } = input
  const { name, operations } = operationsIn(input)
  const kind: KindName = body.kind === 'job' ? 'job' : 'event'
  const request = {
    service: name,
    kind: kinds[kind],
    id: body.item === 'all' ? '' : (body.item ?? '-'),
  }
  const isDrop = body.action === 'drop'
  const work = withPassword<unknown>(input, () =>
    isDrop ? operations.dropDead(request, call) : operations.retryDead(request, call),
  )
  const done = isDrop ? 'dropped' : 'retried'
  return resultOf(work, `${servicesPath}${name}/?kind=${kind}&done=${done}`, (problem) =>
    servicePage({ ...input, query: { kind } }, problem),
  )
}

async function servicePage(input: Input, problem?: Problem): Promise<Page> {
  const { call, cfg } = input
  const texts = textsOf(input)
  const { name, operations } = operationsIn(input)
  const { kind = 'event', cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const page = { kind: kinds[kind], pageSize: cfg.pageItemsMax, pageToken }
  const [state, { items, nextPageToken }] = await Promise.all([
    operations.getState({ service: name }, call),
    operations.listDead({ service: name, ...page }, call),
  ])
  return adminPage(input, {
    path: '',
    title: html`${name}`,
    problem,
    done: doneOf(input, { retried: 'services.retried', dropped: 'services.dropped' }),
    content: html`<p>${markOf(texts, state)}</p>${stateOf(texts, state)}
<h2 id="dead">${texts.t(titles[kind])}</h2>
<p class="way">${otherKind(texts, name, kind)}</p>
${deadForm(input, { name, kind, items })}${nextLink(input, nextPageToken, { kind })}`,
  })
}

const otherKind = ({ t }: Texts, name: string, kind: KindName) => {
  const other = kind === 'event' ? 'job' : 'event'
  return html`<a href="${servicesPath}${name}/?kind=${other}#dead">${t(titles[other])}</a>`
}

function stateOf(
  texts: Texts,
  { dependencies, eventsWaiting, eventsOldestSeconds, consumers, jobs }: GetStateResponse,
): Html {
  const { t, number } = texts
  const servers = dependencies.map(
    ({ name, isAvailable }) =>
      html`<li><span>${name}</span> <span class="quiet">${t(isAvailable ? 'services.available' : 'services.unavailable')}</span></li>`,
  )
  const rows = [
    row(t('services.outbox'), number(eventsWaiting), ageOf(texts, eventsOldestSeconds), ''),
    ...consumers.map(({ name, dead }) => row(html`${name}`, '', html``, number(dead))),
    ...jobs.map(({ name, waiting, oldestSeconds, dead }) =>
      row(html`${name}`, number(waiting), ageOf(texts, oldestSeconds), number(dead)),
    ),
  ]
  return html`<h2>${t('services.servers')}</h2><ul class="rows">${servers}</ul>
<h2>${t('services.queuesTitle')}</h2><div class="scroll" tabindex="0" role="region" aria-label="${t('services.queuesTitle')}"><table class="cells">
<thead><tr><th scope="col">${t('services.queue')}</th><th scope="col">${t('services.deadCount')}</th><th scope="col">${t('services.waiting')}</th><th scope="col">${t('services.oldest')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

const row = (name: Html, waiting: string, oldest: Html, dead: string) =>
  html`<tr><th scope="row">${name}</th><td class="number">${dead}</td><td class="number">${waiting}</td><td class="number">${oldest}</td></tr>`

const ageOf = ({ t, number }: Texts, seconds: number) =>
  seconds === 0 ? html`` : t('services.seconds', { seconds: number(Math.round(seconds)) })

type Shown = { name: string; kind: KindName; items: Dead[] }

function deadForm(input: Input, { name, kind, items }: Shown): Html {
  const texts = textsOf(input)
  const { t } = texts
  if (items.length === 0) return html`<p class="empty">${t('services.none')}</p>`
  return html`<form class="wide" method="post" action="${servicesPath}${name}/">${formToken(input)}<input type="hidden" name="kind" value="${kind}">
<fieldset class="options"><legend>${t('services.choose')}</legend>
<label class="check"><input type="radio" name="item" value="all"> ${t('services.all')}</label>
${items.map((item) => option(texts, item))}</fieldset>
${passwordInput(input)}
<div class="buttons"><button name="action" value="retry" class="secondary">${t('services.retry')}</button>
<button name="action" value="drop" class="dangerous">${t('services.drop')}</button></div></form>`
}

const option = (
  { t, dateTime }: Texts,
  { id, name, event, key, attempts, error, diedOn }: Dead,
): Html =>
  html`<label class="check"><input type="radio" name="item" value="${id}" required="">
<span><strong>${name}</strong> ${event} ${key ? nameHtml(key) : html``}
<span class="quiet">${t('services.died', { time: dateTime(diedOn), count: attempts })} <span lang="en">${error}</span></span></span></label>`
