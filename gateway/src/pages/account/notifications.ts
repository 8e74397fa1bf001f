import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  deliveries,
  notificationKinds,
  notificationSettingsShape,
  toNotificationUpdate,
  weekdays,
} from '../../shapes/notification.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountPage, accountPath, doneOf, doneQuery } from './layout.js'

const path = `${accountPath}notifications/`

type Choices = Record<string, string | number>

const kindTexts: Record<(typeof notificationKinds)[number], MessageKey> = {
  mention: 'notifications.mention',
  reply: 'notifications.reply',
  share: 'notifications.share',
  failed_task: 'notifications.failedTask',
  stale_figure: 'notifications.staleFigure',
}

const deliveryTexts: Record<(typeof deliveries)[number], MessageKey> = {
  at_once: 'notifications.atOnce',
  digest: 'notifications.digest',
  none: 'notifications.none',
}

async function settingsPage(
  input: Input,
  problem?: Problem,
  typed: FormValues = {},
): Promise<Page> {
  const { services, call, cfg } = input
  const { t } = textsOf(input)
  const [{ settings }, ...lists] = await Promise.all([
    services.notifications.getNotificationSettings({}, call),
    ...placeGroups.map(({ type }) =>
      services.catalog.listNodes({ type, pageSize: cfg.pageItemsMax }, call),
    ),
  ])
  const { digest_workspaces, digest_organizations, ...stored } = notificationSettingsShape(
    required(settings),
  )
  const places = { digest_workspaces, digest_organizations }
  const groups = placeGroups.map(async (group, i) => {
    const ids = places[group.field]
    const nodes = await withChosen(input, group, lists[i]?.nodes ?? [], ids)
    return placeChoices(input, group, nodes, ids)
  })
  const chosen: Choices = { ...stored, ...typed }
  const content = html`<p>${t('notifications.what', { guide: (text) => html`<a href="/docs/notifications/">${text}</a>` })}</p>
<form method="post" action="${path}">${formToken(input)}
${notificationKinds.map((kind) => choice(input, kind, chosen))}
<h2>${t('notifications.digestTitle')}</h2>
${digestTime(input, chosen)}
${await Promise.all(groups)}
<button>${t('edit.save')}</button></form>`
  const done = doneOf(input, { saved: 'account.saved' })
  return accountPage(input, { path, problem, done, content })
}

function choice(input: Input, kind: (typeof notificationKinds)[number], chosen: Choices): Html {
  const { t } = textsOf(input)
  const option = (delivery: (typeof deliveries)[number]) => {
    const checked = chosen[kind] === delivery ? html` checked=""` : html``
    return html`<label><input type="radio" name="${kind}" value="${delivery}"${checked}> ${t(deliveryTexts[delivery])}</label>`
  }
  return html`<fieldset class="choice"><legend>${t(kindTexts[kind])}</legend>${deliveries.map(option)}</fieldset>`
}

type PlaceGroup = (typeof placeGroups)[number]

const placeGroups = [
  { field: 'digest_workspaces', type: NodeType.WORKSPACE, text: 'notifications.workspaces' },
  {
    field: 'digest_organizations',
    type: NodeType.ORGANIZATION,
    text: 'notifications.organizations',
  },
] as const

/** Also the chosen places that the list does not have. Leaves out those that the user may not view any more. */
async function withChosen(
  { services, call }: Input,
  { type }: PlaceGroup,
  nodes: Node[],
  chosen: string[],
): Promise<Node[]> {
  const listed = new Set(nodes.map(({ id }) => id))
  const ids = chosen.filter((id) => !listed.has(id))
  if (ids.length === 0) return nodes
  const others = await services.catalog.resolveNodes({ ids, type, withoutLinks: true }, call)
  return [...nodes, ...others.nodes]
}

function placeChoices(
  input: Input,
  { field, text }: PlaceGroup,
  nodes: Node[],
  chosen: string[],
): Html {
  const { t } = textsOf(input)
  if (nodes.length === 0) return html``
  const option = ({ id, name }: Node) =>
    html`<label><input type="checkbox" name="${field}:${id}"${chosen.includes(id) ? html` checked=""` : html``}> ${nameHtml(name)}</label>`
  return html`<fieldset class="list choice"><legend>${t(text)}</legend>
<input type="hidden" name="${field}" value="shown">${nodes.map(option)}</fieldset>`
}

function digestTime(input: Input, { digest_day, digest_hour, time_zone }: Choices): Html {
  const { t, locale } = textsOf(input)
  const option = (value: string, text: string | Html, chosen: string) =>
    html`<option value="${value}"${value === chosen ? html` selected=""` : html``}>${text}</option>`
  const days = weekdays.map((day, i) =>
    option(day, i === 0 ? t('notifications.daily') : weekdayName(i, locale), String(digest_day)),
  )
  const hours = Array.from({ length: 24 }, (_, hour) =>
    option(String(hour), hourName(hour, locale), String(digest_hour)),
  )
  const zones = timeZones.map((zone) => option(zone, zone, String(time_zone)))
  return html`<label>${t('notifications.day')} <select name="digest_day">${days}</select></label>
<label>${t('notifications.hour')} <select name="digest_hour">${hours}</select></label>
<label>${t('notifications.timeZone')} <select name="time_zone">${zones}</select></label>`
}

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** From 1, Monday; the first of January 2024 was one. */
const weekdayName = (day: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  )

const hourName = (hour: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, 1, hour)),
  )

const save = userForm(path, async (input) => {
  const { body, services, call } = input
  return resultOf(
    services.notifications.updateNotificationSettings(changesOf(body), call),
    `${path}?done=saved`,
    (problem) => settingsPage(input, problem, body),
  )
})

/** What a form does not name is not changed. */
function changesOf(body: FormValues) {
  const oneOf = <T extends string>(values: readonly T[], value: string | undefined) =>
    values.find((one) => one === value)
  const choices = notificationKinds.map((kind) => [kind, oneOf(deliveries, body[kind])])
  const hour = body.digest_hour?.trim()
  const day = oneOf(weekdays, body.digest_day)
  const shown = placeGroups.filter(({ field }) => body[field])
  return toNotificationUpdate({
    ...Object.fromEntries(choices),
    ...(day && { digest_day: day }),
    ...(hour && /^\d{1,2}$/.test(hour) && { digest_hour: Number(hour) }),
    ...(body.time_zone && { time_zone: body.time_zone }),
    ...Object.fromEntries(shown.map(({ field }) => [field, chosenIn(body, field)])),
  })
}

const chosenIn = (body: FormValues, field: PlaceGroup['field']) =>
  Object.keys(body).flatMap((name) =>
    name.startsWith(`${field}:`) ? name.slice(field.length + 1) : [],
  )

export const notificationPages: Route[] = [
  userPage(path, (input) => settingsPage(input), doneQuery),
  save,
]
