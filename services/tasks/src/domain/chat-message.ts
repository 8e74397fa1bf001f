import type { WebhookFormat } from '../db/schema.js'
import { type BodyOptions, pageOf } from './webhook-body.js'

const textMax = 300

/** A message for the incoming webhook of a chat system: one sentence with a link. */
export function chatMessage(options: BodyOptions, format: Exclude<WebhookFormat, 'json'>): object {
  const { before, label, url } = sentenceOf(options)
  switch (format) {
    case 'slack':
      return { text: `${slackEscaped(before)} <${url}|${slackEscaped(label)}>` }
    case 'mattermost':
      return { text: `${markdownEscaped(before)} [${markdownEscaped(label)}](${url})` }
    case 'teams':
      return teamsMessage(`${markdownEscaped(before)} [${markdownEscaped(label)}](${url})`)
  }
}

function sentenceOf({ event, data, object, baseUrl }: BodyOptions) {
  const { id, type } = data.object
  const [about = '', action = ''] = event.split('.')
  const noun = about.replaceAll('_', ' ')
  const who = data.actor ?? 'Figbase'
  const name = (object?.name || data.object.name || '').replaceAll(/\s+/g, ' ')
  const label = name || type.replaceAll('_', ' ')
  const before =
    (sentences[event] ?? sentences[about])?.(who, action) ?? `${who} ${action} the ${noun}`
  return { before, label: label.slice(0, textMax), url: pageOf(type, id, baseUrl) }
}

const sentences: Record<string, (who: string, action: string) => string> = {
  comment: (who, action) => `${who} ${action} a comment on`,
  compute_instance: (who) => `${who} changed the notebook`,
  'figure.stale': () => 'An asset has a newer revision than the one used by the figure',
  webhook: () => 'This is a test of the webhook of',
}

/** Also keeps a name from mentioning everybody (`<!channel>`). */
const slackEscaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '¦')

/** A zero-width space behind an at sign keeps a name from mentioning anybody. */
const markdownEscaped = (text: string) =>
  text
    .replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u200b')

const teamsMessage = (text: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text, wrap: true }],
      },
    },
  ],
})
