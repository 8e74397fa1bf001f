import { languageFor, localeOf, parsedMessages, readMessages } from '../messages/index.js'
import { moneyFormat } from '../text/money.js'
import { formatDate, formatMonth, formatTime } from './format-time.js'
import { oneLine } from './words.js'

/** The texts of mails in one language. */
export type MailTexts<K extends string> = {
  /** The tag of the language: `de`. */
  language: string
  /** A message; its values are sanitized and truncated. */
  t(key: K, values?: Record<string, string>): string
  time(time: Date): string
  date(time: Date): string
  /** A month: `November 2026` for `2026-11`. */
  month(period: string): string
  /** An amount of minor units: `€12.50`. */
  money(minor: bigint, currency: string): string
}

const valueCharsMax = 100

/**
 * Reads the messages of a folder. The function returns those in the language of a tag such as `de-CH`, and in English if
 * there are none.
 */
export function readMailTexts<M extends Record<string, string>>(
  folder: URL,
): (tag: string) => MailTexts<keyof M & string> {
  const languages = new Map(
    [...readMessages<M>(folder)].map(([language, messages]) => [
      language,
      parsedMessages<keyof M & string>(messages, language),
    ]),
  )
  return (tag) => {
    const found = languageFor(tag, languages.keys())
    const language = found ?? 'en'
    const locale = localeOf(found ? tag : language)
    const messageOf = languages.get(language)
    if (!messageOf) throw new Error(`no messages in ${folder.pathname}`)
    return {
      language,
      t: (key, values = {}) => String(messageOf(key).format(sanitized(values))),
      time: (time) => formatTime(time, locale),
      date: (time) => formatDate(time, locale),
      month: (period) => formatMonth(period, locale),
      money: moneyFormat(locale),
    }
  }
}

const sanitized = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, oneLine(value, valueCharsMax)]),
  )
