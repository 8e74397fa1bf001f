import type { IncomingHttpHeaders } from 'node:http'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { type Html, moneyFormat } from '@figbase/kit/text'
import { bytesFormat } from './bytes.js'
import { chooseLanguage, requestedLanguage } from './language.js'
import { messageFormat, type Translate } from './message-format.js'
import { type MessageKey, messagesOf } from './messages.js'
import { monthFormats, timeFormats } from './times.js'

export type { MessageKey }

/** The texts of a page in the language of its reader, with numbers and times in their form. */
export type Texts = {
  /** The tag of the language: `de`. */
  language: string
  /** The same with the region of the reader, if it is known: `de-CH`. */
  locale: string
  /** A message, with its values: `t('list.shown', { shown: 60, count: 71 })`. */
  t: Translate
  date(time: Timestamp | undefined): Html
  /** A time with minute precision. */
  dateTime(time: Timestamp | undefined): Html
  /** A month: `November 2026` for `2026-11`. */
  month(period: string): string
  /** The same as one letter: `N`. */
  monthLetter(period: string): string
  number(value: number | bigint): string
  /** An amount of minor units: `€12.50`. */
  money(minor: bigint, currency: string): string
  /** A size: `1.4 MB`. */
  bytes(value: number | bigint): string
}

/** The tags of the languages that have messages. */
export const languages = [...messagesOf.keys()]
const translate = new Map(
  [...messagesOf].map(([language, messages]) => [language, messageFormat(messages, language)]),
)
const textsByLocale = new Map<string, Texts>()

/** The texts in the language that the headers of a request ask for. */
export function textsOf({ headers }: { headers: IncomingHttpHeaders }): Texts {
  const { language, locale } = chooseLanguage(headers, languages)
  const known = textsByLocale.get(locale)
  if (known) return known
  const texts = createTexts(language, locale)
  textsByLocale.set(locale, texts)
  return texts
}

/** The language of mails that a request causes, such as `de-CH`; empty if its headers ask for none that Figbase has. */
export const mailLanguageOf = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  requestedLanguage(headers, languages)?.locale ?? ''

function createTexts(language: string, locale: string): Texts {
  const t = translate.get(language)
  if (!t) throw new Error(`no messages in the language ${language}`)
  const numbers = new Intl.NumberFormat(locale)
  return {
    language,
    locale,
    t,
    ...timeFormats(locale),
    ...monthFormats(locale),
    number: (value) => numbers.format(value),
    money: moneyFormat(locale),
    bytes: bytesFormat(locale),
  }
}
