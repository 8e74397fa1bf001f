import { type Html, html } from '@figbase/kit/text'
import type { Backup } from '@figbase/proto/identity/staff'
import type { GetStateResponse } from '@figbase/proto/operations'
import type { Input, Route } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { readServerVersion } from '../../server-version.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { adminPage, servicesPath } from './layout.js'
import { servicePages as detailPages } from './service.js'

/** The state of all services. */
export const servicePages: Route[] = [userPage(servicesPath, servicesPage), ...detailPages]

const backupsMax = 5

type State = { name: string; state: GetStateResponse | undefined }

async function servicesPage(input: Input): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const [{ backups }, ...states] = await Promise.all([
    services.staff.listBackups({}, call),
    ...Object.entries(services.operations).map(
      async ([name, operations]): Promise<State> => ({
        name,
        state: await ifAvailable(operations.getState({ service: name }, call)),
      }),
    ),
  ])
  return adminPage(input, {
    path: servicesPath,
    title: t('services.title'),
    content: html`<p class="quiet">${t('services.gateway', { version: readServerVersion() })}</p>
<ul class="entries">${states.map((one) => entry(texts, one))}</ul>
<h2>${t('services.backups')}</h2>${backupList(texts, backups)}`,
  })
}

function entry(texts: Texts, { name, state }: State): Html {
  const { t } = texts
  if (!state) {
    return html`<li><div><strong>${name}</strong> <span class="mark bad">${t('services.unavailable')}</span></div></li>`
  }
  return html`<li><div><a href="${servicesPath}${name}/">${name}</a> ${markOf(texts, state)}
<span class="quiet">${queuesOf(texts, state)} · ${t('services.version', { version: state.version })}</span></div></li>`
}

/** Whether a service is ready, degraded or not ready. */
export function markOf({ t }: Texts, { dependencies }: GetStateResponse): Html {
  const missing = dependencies.filter(({ isAvailable }) => !isAvailable)
  if (missing.length === 0) return html`<span class="mark">${t('services.ready')}</span>`
  const names = missing.map(({ name }) => name).join(', ')
  const isReady = missing.every(({ isRequired }) => !isRequired)
  return html`<span class="mark bad">${t(isReady ? 'services.degraded' : 'services.notReady', { names })}</span>`
}

function queuesOf(
  { t, number }: Texts,
  { eventsWaiting, consumers, jobs }: GetStateResponse,
): Html {
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0)
  const dead = [...consumers, ...jobs].reduce((sum, one) => sum + one.dead, 0)
  const counts = { events: number(eventsWaiting), jobs: number(waiting) }
  const deadNote =
    dead > 0 ? html` · <strong>${t('services.dead', { count: dead })}</strong>` : html``
  return html`${t('services.queues', counts)}${deadNote}`
}

function backupList({ t, dateTime, bytes }: Texts, backups: Backup[]): Html {
  if (backups.length === 0) return html`<p class="empty">${t('services.noBackups')}</p>`
  const rows = backups
    .slice(0, backupsMax)
    .map(
      ({ createdOn, path, bytes: size }) =>
        html`<li><span>${dateTime(createdOn)}</span> <span class="quiet">${nameHtml(path)}, ${bytes(size)}</span></li>`,
    )
  return html`<ul class="rows">${rows}</ul>`
}
