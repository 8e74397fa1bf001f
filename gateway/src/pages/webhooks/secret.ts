import { html } from '@figbase/kit/text'
import type { Webhook } from '@figbase/proto/webhooks'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { copyable } from '../copyable.js'
import type { Page } from '../page.js'

/** Shows a new secret, which no other page does. */
export function newSecretPage(
  input: Input,
  { id, url, previousSecretUntil }: Webhook,
  secret: string,
): Page {
  const texts = textsOf(input)
  const { t, dateTime } = texts
  const overlap = previousSecretUntil
    ? html`<p>${t('webhooks.overlap', { time: dateTime(previousSecretUntil) })}</p>`
    : html``
  return {
    title: t('webhooks.secret'),
    hasForm: true,
    content: html`<h1>${t('webhooks.secret')}</h1>
<p class="notice" role="status">${t('webhooks.secretNote', { url: html`<span dir="ltr">${url}</span>` })}</p>
${copyable(texts, t('webhooks.secret'), secret)}${overlap}
<p><a href="/webhook/${id}/">${t('webhooks.toWebhook')}</a></p>`,
  }
}
