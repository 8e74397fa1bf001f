import { type Html, html } from '@figbase/kit/text'
import type { Webhook } from '@figbase/proto/webhooks'
import type { MessageKey, Texts } from '../../texts/texts.js'

/** Whether a webhook is active, as a mark. */
export function stateOf({ t }: Texts, { isActive, failingSince }: Webhook): Html {
  const state: MessageKey = isActive
    ? failingSince
      ? 'webhooks.failing'
      : 'webhooks.active'
    : 'webhooks.inactive'
  return html`<span class="mark">${t(state)}</span>`
}

/** The events that it is sent. */
export const eventsOf = ({ t }: Texts, { events }: Webhook): Html =>
  events.includes('*')
    ? html`<span class="quiet">${t('webhooks.allEvents')}</span>`
    : html`<span class="quiet" dir="ltr">${events.join(' ')}</span>`

const reasons: Record<string, MessageKey> = {
  failing: 'webhooks.reasonFailing',
  gone: 'webhooks.reasonGone',
}

/** Why it was deactivated, or since when it fails. */
export function stateNote(texts: Texts, { deactivationReason, failingSince }: Webhook): Html {
  const { t, dateTime } = texts
  const reason = reasons[deactivationReason]
  if (reason) return html`<p class="problem">${t(reason)}</p>`
  if (!failingSince) return html``
  return html`<p class="problem">${t('webhooks.failingSince', { time: dateTime(failingSince) })}</p>`
}
