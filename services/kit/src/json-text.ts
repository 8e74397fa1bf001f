import { problemOfText } from './text.js'

// Only an escape can bring in what cannot be stored; most texts have none.
const suspectEscape = /\\u(?:0000|d[89a-f])/i

/** Why a text is not JSON that we can store, or undefined. The value itself is thrown away. */
export function problemOfJson(text: string, depthMax: number): string | undefined {
  if (nestingOf(text) > depthMax) return `is nested more than ${depthMax} levels deep`
  let problem: string | undefined
  const check = (name: string, value: unknown) => {
    problem ??=
      problemOfText(name) ?? (typeof value === 'string' ? problemOfText(value) : undefined)
    return value
  }
  try {
    JSON.parse(text, suspectEscape.test(text) ? check : undefined)
    return problem
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
