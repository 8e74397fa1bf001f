/**
 * The keys and values of JSON as lines of text, at most `charsMax` characters. Values that are not JSON give an empty
 * text. Long runs of numbers (points of a curve) say nothing, and end after 100 values of a list.
 */
export function metadataWords(json: string, charsMax: number): string {
  const lines: string[] = []
  let left = charsMax
  const add = (text: string) => {
    if (left <= 0 || text === '') return
    const line = text.slice(0, left)
    left -= line.length + 1
    lines.push(line)
  }
  const pending: unknown[] = [parsed(json)]
  while (pending.length > 0 && left > 0) {
    const value = pending.pop()
    if (value instanceof Key) add(value.text)
    else if (Array.isArray(value)) pending.push(...value.slice(0, itemsMax).reverse())
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value).reverse())
        pending.push(member, new Key(key))
    } else if (typeof value === 'string' || typeof value === 'number') add(String(value))
  }
  return lines.join('\n')
}

const itemsMax = 100

/** A key among the values that are still to be read. */
class Key {
  constructor(readonly text: string) {}
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
