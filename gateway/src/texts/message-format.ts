import { parsedMessages } from '@figbase/kit/messages'
import { type Html, html } from '@figbase/kit/text'
import type { MessageKey, Messages } from './messages.js'

/** What a message contains: text, numbers, markup, and what its tags become. */
export type Values = Record<string, string | number | Html | ((content: Html) => Html)>

export type Translate = (key: MessageKey, values?: Values) => Html

/** Formats the messages of a language. Everything is escaped that is no `Html`. */
export function messageFormat(messages: Messages, language: string): Translate {
  const formatOf = parsedMessages<MessageKey>(messages, language)
  return (key, values = {}) => toHtml(formatOf(key).format<Html>(withHtmlTags(values)))
}

type Part = string | Html

const toHtml = (parts: Part | Part[]): Html => html`${[parts].flat().map((part) => html`${part}`)}`

/** Tags get their content as `Html`. */
const withHtmlTags = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (parts: Part[]) => value(toHtml(parts)) : value,
    ]),
  )
