/** Deeper nesting than PostgreSQL's JSON parser has stack for would fail there. */
export const nestingMax = 1000

/** Why a text is not JSON that we can store, or undefined. The value itself is thrown away. */
export function problemOfJson(text: string): string | undefined {
  if (nestingOf(text) > nestingMax) return `is nested more than ${nestingMax} levels deep`
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'must be JSON'
  }
}

/** Whether a valid JSON text is an object or an array. */
export function isContainer(json: string): boolean {
  return /^\s*[{[]/.test(json)
}

function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
    else if (character === '"') at = endOfString(text, at)
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
