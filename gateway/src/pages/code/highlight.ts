import { StringStream } from '@codemirror/language'
import { type Html, html } from '@figbase/kit/text'
import type { Deadline } from '../deadline.js'
import type { Language } from './languages.js'

/** A longer line, and what follows it, is not highlighted. The time for a line may grow with its square. */
const lineCharsMax = 500
const tabChars = 4
const indentChars = 4

/** The class of each kind of token; the first word of a kind counts. */
const classes: Record<string, string> = {
  keyword: 'hk',
  operatorKeyword: 'hk',
  controlKeyword: 'hk',
  string: 'hs',
  'string-2': 'hs',
  comment: 'hc',
  number: 'hn',
  atom: 'hn',
  bool: 'hn',
  def: 'hf',
  builtin: 'hf',
  meta: 'hm',
  property: 'hf',
}

/** Marks the tokens of code with classes. After the deadline, the rest stays plain. */
export function highlight(code: string, language: Language, deadline: Deadline): Html {
  const shown: Html[] = []
  const state: unknown = language.startState?.(indentChars) ?? {}
  for (let at = 0; at < code.length; ) {
    const end = code.indexOf('\n', at)
    const next = end < 0 ? code.length : end + 1
    const line = code.slice(at, end < 0 ? next : end).replace(/\r$/, '')
    if (line.length > lineCharsMax || deadline.leftMs() <= 0) return html`${shown}${code.slice(at)}`
    if (line === '') language.blankLine?.(state, indentChars)
    else shown.push(...tokensOf(line, language, state, deadline))
    shown.push(html`${code.slice(at + line.length, next)}`)
    at = next
  }
  return html`${shown}`
}

/** A language may change its state without reading a character, but not more often than this. */
const emptyTokensMax = 10

function tokensOf(line: string, language: Language, state: unknown, deadline: Deadline) {
  const tokens: Html[] = []
  const stream = new StringStream(line, tabChars, indentChars)
  for (let empty = 0; !stream.eol(); ) {
    if (deadline.leftMs() <= 0) return [...tokens, html`${line.slice(stream.pos)}`]
    stream.start = stream.pos
    const kind = language.token(stream, state)
    if (stream.pos === stream.start && ++empty <= emptyTokensMax) continue
    if (stream.pos === stream.start) stream.next()
    empty = 0
    tokens.push(tokenOf(stream.current(), kind))
  }
  return tokens
}

function tokenOf(text: string, kind: string | null): Html {
  const [word = ''] = (kind ?? '').split(/[ .]/)
  const name = Object.hasOwn(classes, word) ? classes[word] : undefined
  return name ? html`<span class="${name}">${text}</span>` : html`${text}`
}
