import { type Html, html } from '@figbase/kit/text'
import {
  type Heartbeat,
  type Instance,
  type InstanceEvent,
  Lifecycle,
  type Tier,
} from '@figbase/proto/compute'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { nameHtml } from '../text.js'
import { isAtRest, stateOf, tierOptions } from './status.js'

/** What was measured last. */
export function measured(texts: Texts, heartbeat: Heartbeat | undefined): Html {
  const { t, dateTime } = texts
  if (!heartbeat) return html``
  const { cpuPct, memPct, diskPct, at } = heartbeat
  const rows: [MessageKey, number][] = [
    ['compute.cpu', cpuPct],
    ['compute.memory', memPct],
    ['compute.disk', diskPct],
  ]
  const meters = rows.map(
    ([name, percent]) =>
      html`<label>${t(name)} <meter max="100" value="${String(Math.round(percent))}"></meter></label>`,
  )
  return html`<h2>${t('compute.measured')}</h2><div class="meters">${meters}</div>
<p class="quiet">${t('compute.measuredOn', { time: dateTime(at) })}</p>`
}

/** Name, idle shutdown and, while it is at rest, the size. */
export function settings(input: Input, instance: Instance, tiers: Tier[]): Html {
  if (!instance.canOperate || instance.lifecycle === Lifecycle.TERMINATED) return html``
  const texts = textsOf(input)
  const { t } = texts
  const { name, tier, idleShutdownEnabled, idleShutdownSeconds } = instance
  const minutes = String(Math.round(idleShutdownSeconds / 60))
  const size = isAtRest(instance)
    ? html`<form method="post">${formToken(input)}
<label>${t('compute.tier')} <select name="tier">${tierOptions(texts, tiers, tier)}</select></label>
<button name="action" value="tier" class="secondary">${t('compute.changeTier')}</button></form>`
    : html``
  return html`<h2>${t('compute.settings')}</h2>
<form method="post">${formToken(input)}
<label>${t('edit.name')} <input name="name" value="${name}" maxlength="500" required></label>
<label class="check"><input type="checkbox" name="idle"${idleShutdownEnabled ? html` checked=""` : html``}> ${t('compute.idle')}</label>
<label>${t('compute.idleMinutes')} <input type="number" name="minutes" value="${minutes}" min="1" required></label>
<button name="action" value="save" class="secondary">${t('edit.save')}</button></form>${size}`
}

/** What happened to it, newest first. */
export function history(texts: Texts, events: InstanceEvent[]): Html {
  const { t, dateTime } = texts
  const items = events.map(
    ({ lifecycle, detail, actor, at }) =>
      html`<li><span>${stateOf(texts, { lifecycle })}${detail ? html` · <span lang="en">${detail}</span>` : html``}</span>
<span class="quiet">${dateTime(at)}${actor ? html` · ${nameHtml(actor)}` : html``}</span></li>`,
  )
  return html`<h2>${t('compute.history')}</h2><ul class="rows">${items}</ul>`
}
