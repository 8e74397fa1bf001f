import { memberPath } from './member-path.js'

/**
 * Whether a JSON text may contain what `findInvalidText` finds. Only an escape can: JSON forbids a raw
 * U+0000, and UTF-8 a lone surrogate. Such escapes are rare, so few values need the full check.
 */
export const mayContainInvalidText = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json)

/** An array or object being walked; `at` is the index after the current item. */
type Frame = { names: string[] | undefined; items: unknown[]; at: number }

/**
 * Finds text that PostgreSQL or UTF-8 cannot store (U+0000, lone surrogates) in the names and values
 * of a parsed JSON value. An invalid name is reported with the path of its object.
 */
export function findInvalidText(
  value: unknown,
  path: string,
): { field: string; reason: string } | undefined {
  // An explicit stack: JSON.parse accepts any depth, but recursion would overflow.
  const frames: Frame[] = [{ names: undefined, items: [value], at: 0 }]
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.at === frame.items.length) {
      frames.pop()
      continue
    }
    const item = frame.items[frame.at++]
    if (typeof item === 'string') {
      const fault = invalidTextReason(item)
      if (fault) return { field: fieldOf(frames, path), reason: `The text contains ${fault}.` }
    } else if (Array.isArray(item)) {
      if (item.length > 0) frames.push({ names: undefined, items: item, at: 0 })
    } else if (typeof item === 'object' && item !== null) {
      const names = Object.keys(item)
      const fault = invalidTextReason(names.join())
      if (fault) {
        const reason = `A member name contains ${fault}.`
        return { field: fieldOf(frames, path), reason }
      }
      if (names.length > 0) frames.push({ names, items: Object.values(item), at: 0 })
    }
  }
  return undefined
}

/** The path of the current item. The outermost frame is the value itself, at `path`. */
function fieldOf([, ...frames]: Frame[], path: string): string {
  let field = path
  for (const { names, at } of frames) {
    field = names ? memberPath(field, names[at - 1] ?? '') : `${field}[${at - 1}]`
  }
  return field
}

/** The reason why a string is invalid, or undefined. */
export function invalidTextReason(text: string): string | undefined {
  if (text.includes('\0')) return 'the character U+0000'
  // With the `u` flag a surrogate matches only when it is not half of a pair.
  if (/\p{Surrogate}/u.test(text)) return 'a lone surrogate'
  return undefined
}
