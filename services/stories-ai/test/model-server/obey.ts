import { isDeepStrictEqual } from 'node:util'
import type { ModelRequest, ToolCall } from './types.js'

/**
 * What a model does that obeys whoever writes into its request: each `CALL_TOOL <name> <json>` that it has not
 * done yet, and each `SAY <text>` to the end of the line.
 */
export function obey(request: ModelRequest): { parts: string[]; tools: ToolCall[] } {
  const text = plain(request.text)
  const tools = [...text.matchAll(/CALL_TOOL\s+([\w-]+)\s*(?=\{)/g)].flatMap((found) => {
    const input = jsonAt(text, found.index + found[0].length)
    return input === undefined ? [] : [{ name: found[1] ?? '', input }]
  })
  const parts = [...text.matchAll(/\bSAY ([^\n]+)/g)].map((found) => found[1] ?? '')
  const isDone = (tool: ToolCall) => request.called.some((one) => isDeepStrictEqual(one, tool))
  return { parts, tools: tools.filter((tool) => !isDone(tool)) }
}

/** Models read letters that are hidden from people: tags, full width, and with invisible ones between. */
function plain(text: string) {
  return text
    .replace(/[\u{E0020}-\u{E007E}]/gu, (tag) =>
      String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000),
    )
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
}

/** The object that begins there, which may itself be in a JSON string or in XML. */
function jsonAt(text: string, start: number): unknown {
  const line = text.slice(start, start + inputCharsMax)
  for (const one of [line, line.replaceAll('\\"', '"'), line.replaceAll('&quot;', '"')])
    for (let end = one.indexOf('}'); end !== -1; end = one.indexOf('}', end + 1)) {
      try {
        return JSON.parse(one.slice(0, end + 1))
      } catch {
        // A later brace may be the last one.
      }
    }
  return undefined
}
const inputCharsMax = 2000
