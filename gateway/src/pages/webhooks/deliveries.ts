import { type Html, html } from '@figbase/kit/text'
import { type WebhookDelivery, WebhookDeliveryState } from '@figbase/proto/webhooks'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'

const states: Partial<Record<WebhookDeliveryState, MessageKey>> = {
  [WebhookDeliveryState.PENDING]: 'webhooks.pending',
  [WebhookDeliveryState.DELIVERED]: 'webhooks.delivered',
  [WebhookDeliveryState.FAILED]: 'webhooks.failed',
}

/** A page of the deliveries, newest first, each with its last request and response. */
export function deliveryList(
  input: Input,
  deliveries: WebhookDelivery[],
  nextPageToken: string,
  canRedeliver: boolean,
): Html {
  const { t } = textsOf(input)
  const entries = deliveries.map((one) => entry(input, one, canRedeliver))
  return html`${entryList(entries, t('webhooks.noDeliveries'))}${nextLink(input, nextPageToken)}`
}

function entry(input: Input, delivery: WebhookDelivery, canRedeliver: boolean): Html {
  const { t, dateTime } = textsOf(input)
  const { id, event, state, createdOn, attempts, nextAttemptOn, webhookId } = delivery
  const next = nextAttemptOn ? [t('webhooks.next', { time: dateTime(nextAttemptOn) })] : []
  const notes = [dateTime(createdOn), t('webhooks.attempts', { count: attempts }), ...next]
  const again = canRedeliver
    ? html`<form method="post" action="/webhook/${webhookId}/">${formToken(input)}<input type="hidden" name="delivery" value="${id}"><button class="secondary" name="action" value="redeliver" aria-label="${t('webhooks.redeliverOne', { event })}">${t('webhooks.redeliver')}</button></form>`
    : html``
  return html`<li><div><code>${event}</code> <span class="mark">${t(states[state] ?? 'webhooks.pending')}</span>
<span class="quiet">${notes.map((note, i) => (i > 0 ? html` · ${note}` : note))}</span>${lastAttempt(input, delivery)}${again}</div></li>`
}

function lastAttempt(input: Input, { lastAttempt: attempt }: WebhookDelivery): Html {
  if (!attempt) return html``
  const { t, number } = textsOf(input)
  const { responseStatus, durationMs, error, requestBody, responseBody } = attempt
  const outcome = responseStatus
    ? t('webhooks.answered', { status: String(responseStatus), ms: number(durationMs) })
    : html`<span lang="en">${error}</span>`
  return html`<details><summary>${outcome}</summary>
<p>${t('webhooks.request')}</p><pre tabindex="0"><code>${indented(requestBody)}</code></pre>
${responseBody === '' ? html`` : html`<p>${t('webhooks.response')}</p><pre tabindex="0"><code>${responseBody}</code></pre>`}</details>`
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
