import { escapeHtml } from './escape-html.js'
import type { TextQuery } from './query.js'
import { type Token, tokenize } from './tokenize.js'

/** Characters before and after what was found. */
const contextChars = 60
const snippetsMax = 3
/** How far a text is searched for what was found. */
const wordsMax = 20_000

type Span = { start: number; end: number }

/**
 * Up to three parts of a text that contain words of a query, as HTML whose only tag is `<mark>`. Takes linear time.
 * `corrections` are other spellings by word.
 */
export function snippetsOf(
  text: string,
  query: TextQuery,
  corrections: ReadonlyMap<string, string[]>,
): string[] {
  const isFound = matcherOf(query, corrections)
  const groups: Span[][] = []
  for (const token of tokenize(text, wordsMax)) {
    if (!isFound(token)) continue
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && token.start - last.end <= contextChars) group.push(token)
    else if (groups.length === snippetsMax) break
    else groups.push([token])
  }
  return groups.map((spans) => render(text, spans.slice(0, 20)))
}

/** Whether a word of the text is what a word of the query asks for. */
function matcherOf({ terms }: TextQuery, corrections: ReadonlyMap<string, string[]>) {
  const exact = new Set<string>()
  const stems = new Set<string>()
  let prefix: string | undefined
  for (const [index, { text, isQuoted }] of terms.entries()) {
    for (const { whole, parts } of tokenize(text, 64)) {
      for (const form of whole) exact.add(form)
      for (const spelling of corrections.get(whole[0] ?? '') ?? []) exact.add(spelling)
      for (const part of parts) {
        if (parts.length > 1 || isQuoted) for (const form of part.forms) exact.add(form)
        if (!isQuoted && parts.length === 1 && part.stem !== undefined) stems.add(part.stem)
      }
      if (index === terms.length - 1 && !isQuoted) prefix = whole[0]
    }
  }
  const isForm = (form: string) =>
    exact.has(form) || (prefix !== undefined && form.startsWith(prefix))
  return ({ whole, parts }: Token) =>
    whole.some(isForm) ||
    parts.some(({ forms, stem }) => forms.some(isForm) || (stem !== undefined && stems.has(stem)))
}

function render(text: string, spans: Span[]) {
  const first = spans[0]?.start ?? 0
  const last = spans.at(-1)?.end ?? 0
  const start = boundary(text, Math.max(0, first - contextChars), first)
  const end = boundary(text, Math.min(text.length, last + contextChars), last)
  let html = start > 0 ? '…' : ''
  let at = start
  for (const span of spans) {
    html += `${escapeHtml(text.slice(at, span.start))}<mark>${escapeHtml(text.slice(span.start, span.end))}</mark>`
    at = span.end
  }
  html += escapeHtml(text.slice(at, end))
  return (end < text.length ? `${html}…` : html).replace(/\s+/g, ' ').trim()
}

/** The next place between words from `from` towards `to`, so that no word is cut. */
function boundary(text: string, from: number, to: number) {
  if (from <= 0 || from >= text.length) return from
  const step = from < to ? 1 : -1
  for (let at = from; at !== to; at += step) if (/\s/.test(text[at] ?? '')) return at
  return to
}
