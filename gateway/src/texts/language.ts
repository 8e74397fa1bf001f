import type { IncomingHttpHeaders } from 'node:http'
import { languageFor, localeOf } from '@figbase/kit/messages'
import Negotiator from 'negotiator'

/** The language of the messages, and the locale of numbers and dates: `de` and `de-CH`. */
export type Choice = { language: string; locale: string }

/** Chooses from `Accept-Language`; the first language if the reader reads none of them. */
export function chooseLanguage(headers: IncomingHttpHeaders, languages: string[]): Choice {
  const [language = 'en'] = languages
  return requestedLanguage(headers, languages) ?? { language, locale: localeOf(language) }
}

/** Undefined if the reader names none of these languages. */
export function requestedLanguage(
  headers: IncomingHttpHeaders,
  languages: string[],
): Choice | undefined {
  const accepted = new Negotiator({ headers: { 'accept-language': headers['accept-language'] } })
  const tags = accepted.languages()
  const language = tags.map((tag) => languageFor(tag, languages)).find(Boolean)
  if (!language) return undefined
  const withRegion = new RegExp(`^${language}-[a-z]{2}$`, 'i')
  const locale = localeOf(tags.find((tag) => tag === language || withRegion.test(tag)) ?? language)
  // `Intl` may not know the language.
  return { language, locale: locale.startsWith(language) ? locale : language }
}
