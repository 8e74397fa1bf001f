import { problemOfText } from './text.js'

// Only escapes can produce characters that cannot be stored; most texts have none.
const suspectEscape = /\\u(?:0000|d[89a-f])/i

/** Why a text is not JSON that can be stored; undefined if it is. */
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

/**
 * The members of a valid JSON object as source text. Of duplicate names, the last value is used, in the position of
 * the first.
 */
export function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>()
  let depth = 0
  let name: string | undefined
  let start = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      name ??= JSON.parse(json.slice(at, end + 1))
      at = end
    } else if (character === ':' && depth === 1) {
      start = at + 1
    } else if (character === '{' || character === '[') {
      depth++
    } else if (character === ',' || character === '}' || character === ']') {
      const isEnd = depth === 1 && name !== undefined
      if (isEnd) {
        members.set(String(name), json.slice(start, at).trim())
        name = undefined
      }
      if (character !== ',') depth--
    }
  }
  return members
}

/** Replaces members of `json` by those of `changes`; new members are appended. Both must be JSON objects. */
export function withMembers(json: string, changes: string): string {
  const members = new Map([...membersOf(json), ...membersOf(changes)])
  const texts = Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`)
  return `{${texts.join(',')}}`
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
