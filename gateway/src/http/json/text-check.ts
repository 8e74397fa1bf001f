import { memberPath } from './member-path.js'

/**
 * Finds text that PostgreSQL and UTF-8 cannot hold (U+0000, half a surrogate pair) in a parsed JSON
 * value, in names and values alike. A bad name is reported at the object that carries it.
 */
export function findBadText(
  value: unknown,
  path: string,
): { field: string; reason: string } | undefined {
  // A stack of our own: JSON.parse accepts any depth, recursion here would not.
  const waiting: [unknown, string][] = [[value, path]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [current, field] = next
    if (typeof current === 'string') {
      const fault = badText(current)
      if (fault) return { field, reason: `The text contains ${fault}.` }
    } else if (Array.isArray(current)) {
      // Last first, so that what is reported is the first in reading order.
      for (let i = current.length - 1; i >= 0; i--) waiting.push([current[i], `${field}[${i}]`])
    } else if (typeof current === 'object' && current !== null) {
      const entries = Object.entries(current)
      for (const [name] of entries) {
        const fault = badText(name)
        if (fault) return { field, reason: `The name of a member contains ${fault}.` }
      }
      for (const [name, member] of entries.reverse()) {
        waiting.push([member, memberPath(field, name)])
      }
    }
  }
  return undefined
}

/** What is wrong with one string, if anything. */
export function badText(text: string): string | undefined {
  if (text.includes('\0')) return 'the character U+0000'
  // With the `u` flag a surrogate matches only when it is not half of a pair.
  if (/\p{Surrogate}/u.test(text)) return 'half a surrogate pair'
  return undefined
}
