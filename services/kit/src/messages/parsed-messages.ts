import { IntlMessageFormat } from 'intl-messageformat'

/** The messages of a language as formats, each parsed when it is first needed. */
export function parsedMessages<K extends string>(
  messages: Record<K, string>,
  language: string,
): (key: K) => IntlMessageFormat {
  const formats = new Map<K, IntlMessageFormat>()
  return (key) => {
    const known = formats.get(key)
    if (known) return known
    const format = new IntlMessageFormat(messages[key], language)
    formats.set(key, format)
    return format
  }
}
