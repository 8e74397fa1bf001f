/** The longest tag that protocols must support (RFC 5646, 4.4.1). */
const tagCharsMax = 35

/** Whether the text is a well-formed language tag, such as `de` or `de-CH`. */
export function isLanguageTag(text: string): boolean {
  if (text.length > tagCharsMax) return false
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** The language with the longest tag that begins the given one: `de` for `de-CH`. */
export function languageFor(tag: string, languages: Iterable<string>): string | undefined {
  const wanted = `${tag.toLowerCase()}-`
  return [...languages]
    .filter((language) => wanted.startsWith(`${language.toLowerCase()}-`))
    .sort((one, other) => other.length - one.length)[0]
}

const locales = new Map<string, string>()

/** The locale that `Intl` has for a tag, so that there are few: `de` for `de-XX`. */
export function localeOf(tag: string): string {
  // English without a region writes 21 November 2026, which everybody can read.
  const key = tag === 'en' ? 'en-GB' : tag.toLowerCase()
  const known = locales.get(key)
  if (known) return known
  const { locale } = new Intl.NumberFormat(key).resolvedOptions()
  // Tags are chosen by users: remember those that `Intl` knows.
  if (locale.toLowerCase() === key.toLowerCase()) locales.set(key, locale)
  return locale
}
