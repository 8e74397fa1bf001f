import { type Html, html } from '@figbase/kit/text'
import { type Webhook, WebhookFormat, WebhookPayload } from '@figbase/proto/webhooks'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormValues, formToken } from '../form.js'

const formats: [WebhookFormat, MessageKey][] = [
  [WebhookFormat.JSON, 'webhooks.json'],
  [WebhookFormat.SLACK, 'webhooks.slack'],
  [WebhookFormat.MATTERMOST, 'webhooks.mattermost'],
  [WebhookFormat.TEAMS, 'webhooks.teams'],
]

const exampleUrl = 'https://example.org/hook'

/** The settings of a submitted form. */
export function settingsOf({ url = '', events = '', format, full }: FormValues) {
  return {
    url: url.trim(),
    events: events.split(/[\s,]+/).filter((name) => name !== ''),
    format: formats.find(([value]) => String(value) === format)?.[0] ?? WebhookFormat.UNSPECIFIED,
    payload: full === undefined ? WebhookPayload.THIN : WebhookPayload.FULL,
  }
}

/** What the form shows of a webhook. */
export const valuesOf = ({ url, events, format, payload }: Webhook): FormValues => ({
  ...{ url, events: events.join(' '), format: String(format) },
  ...(payload === WebhookPayload.FULL && { full: 'on' }),
})

/** The inputs, with a button. */
export function webhookForm(input: Input, action: string, values: FormValues, buttons: Html): Html {
  const { t } = textsOf(input)
  const { url = '', events = '*', format = String(WebhookFormat.JSON), full } = values
  const option = ([value, label]: (typeof formats)[number]) =>
    html`<option value="${String(value)}"${String(value) === format ? html` selected=""` : html``}>${t(label)}</option>`
  return html`<form method="post" action="${action}">${formToken(input)}
<label>${t('webhooks.url')} <input type="url" name="url" value="${url}" placeholder="${exampleUrl}" maxlength="2000" autocomplete="off" required></label>
<label>${t('webhooks.events')} <input name="events" value="${events}" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<span class="quiet">${t('webhooks.eventsNote', { all: html`<code>*</code>`, example: html`<code>figure.created revision.*</code>`, guide: (text) => html`<a href="/docs/webhooks/">${text}</a>` })}</span></label>
<label>${t('webhooks.format')} <select name="format">${formats.map(option)}</select></label>
<label class="check"><input type="checkbox" name="full"${full === undefined ? html`` : html` checked=""`}> ${t('webhooks.full')}</label>
${buttons}</form>`
}
