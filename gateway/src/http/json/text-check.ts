import { memberPath } from './member-path.js'

/**
 * Whether a JSON text may hold what `findBadText` finds. Only an escape can bring it in: JSON
 * forbids U+0000 as it is, UTF-8 half a surrogate pair. Rare enough that few values are walked.
 */
export const mayHoldBadText = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json)

/** An array or object being walked; `at` is the place of the item after the current one. */
type Frame = { names: string[] | undefined; items: unknown[]; at: number }

/**
 * Finds text that PostgreSQL and UTF-8 cannot hold (U+0000, half a surrogate pair) in a parsed JSON
 * value, in names and values alike. A bad name is reported at the object that carries it.
 */
export function findBadText(
  value: unknown,
  path: string,
): { field: string; reason: string } | undefined {
  // A stack of our own: JSON.parse accepts any depth, recursion here would not.
  const frames: Frame[] = [{ names: undefined, items: [value], at: 0 }]
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.at === frame.items.length) {
      frames.pop()
      continue
    }
    const item = frame.items[frame.at++]
    if (typeof item === 'string') {
      const fault = badText(item)
      if (fault) return { field: fieldOf(frames, path), reason: `The text contains ${fault}.` }
    } else if (Array.isArray(item)) {
      if (item.length > 0) frames.push({ names: undefined, items: item, at: 0 })
    } else if (typeof item === 'object' && item !== null) {
      const names = Object.keys(item)
      const fault = badText(names.join())
      if (fault) {
        const reason = `The name of a member contains ${fault}.`
        return { field: fieldOf(frames, path), reason }
      }
      if (names.length > 0) frames.push({ names, items: Object.values(item), at: 0 })
    }
  }
  return undefined
}

/** The path of the current item. What is outermost is the value itself, which `path` names. */
function fieldOf([, ...frames]: Frame[], path: string): string {
  let field = path
  for (const { names, at } of frames) {
    field = names ? memberPath(field, names[at - 1] ?? '') : `${field}[${at - 1}]`
  }
  return field
}

/** What is wrong with one string, if anything. */
export function badText(text: string): string | undefined {
  if (text.includes('\0')) return 'the character U+0000'
  // With the `u` flag a surrogate matches only when it is not half of a pair.
  if (/\p{Surrogate}/u.test(text)) return 'half a surrogate pair'
  return undefined
}
