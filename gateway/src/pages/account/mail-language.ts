import { isLanguageTag } from '@figbase/kit/messages'
import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { languages, textsOf } from '../../texts/texts.js'

/** The choice of a language for mails. `stored` is a language tag, or empty; then that of the browser is offered first. */
export function mailLanguageChoice(input: Input, stored: string): Html {
  const { t, locale } = textsOf(input)
  const asBrowser = html`<option value="${locale}">${t('account.mailLanguageOfBrowser', { language: nameOf(locale, locale) })}</option>`
  const others = new Set([stored, ...languages].filter(isLanguageTag))
  others.delete(locale)
  const options = [...others].map((tag) => {
    const selected = tag === stored ? html` selected=""` : html``
    return html`<option value="${tag}" lang="${tag}"${selected}>${nameOf(tag, tag)}</option>`
  })
  return html`<label>${t('account.mailLanguage')} <select name="mail_language">${asBrowser}${options}</select></label>`
}

/** The name of a language, such as `français`. */
const nameOf = (tag: string, locale: string) =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
