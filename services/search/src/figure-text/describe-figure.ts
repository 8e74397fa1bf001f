import { joinCodeTexts } from './code-text.js'
import { readCode } from './read-code.js'
import { splitIdentifier } from './split-identifier.js'

/** What is known about a figure. All of it is untrusted, and may be empty, huge or binary. */
export type FigureParts = {
  name?: string
  description?: string
  /** Keys and values as text. */
  metadata?: string
  /** Code in any language, specifications in JSON, notebooks. */
  code?: string[]
  /** Text of SVG and PDF drawings, in lines. */
  drawings?: string[]
  columns?: string[]
  /** Text that was recognized in pictures, in lines. */
  ocr?: string
}

export type FigureText = {
  /**
   * One to three short texts to embed, in English as far as it is known what they mean. The vector of the figure is the
   * direction of their sum. Empty: nothing is known that could be embedded.
   */
  passages: string[]
  /**
   * What the code means, in words that are not all in the code: types of charts, what a reader can do, split
   * identifiers. To be found by words beside the code itself.
   */
  words: string
}

export type FigureTextLimits = {
  /** Of each piece of code. */
  codeCharsMax: number
  passageCharsMax: number
  wordsCharsMax: number
}

const linesMax = 25

/** Describes a figure for semantic search, in time linear in the size of its parts. */
export function describeFigure(parts: FigureParts, limits: FigureTextLimits): FigureText {
  const code = joinCodeTexts((parts.code ?? []).map((text) => readCode(text, limits.codeCharsMax)))
  const charts = distinct(code.charts)
  const titles = distinct(code.titles.map(splitIdentifier))
  const fields = distinct([...code.fields, ...(parts.columns ?? []).map(splitIdentifier)])
  const data = distinct(code.data)
  const labels = titles.length + fields.length > 0 ? [titles, fields] : [drawnLines(parts, limits)]
  const passages = [
    [parts.name ?? '', parts.description ?? ''],
    [charts, ...labels, data].map((phrases) => phrases.join(', ')),
    [distinct(code.comments).join('. '), parts.metadata ?? ''],
  ]
  const words = [charts, distinct(code.features), titles, fields, data, distinct(code.values)]
  return {
    passages: passages
      .map((sentences) => sentences.filter(Boolean).join('. ').slice(0, limits.passageCharsMax))
      .filter(hasWord),
    words: words.flat().join('\n').slice(0, limits.wordsCharsMax),
  }
}

const drawnLines = (
  { drawings = [], ocr = '' }: FigureParts,
  { wordsCharsMax }: FigureTextLimits,
) =>
  distinct([...drawings, ocr].flatMap((text) => text.slice(0, wordsCharsMax).split('\n')))
    .filter(hasWord)
    .map(splitIdentifier)
    .slice(0, linesMax)

const hasWord = (text: string) => /\p{L}{3}/u.test(text)

const distinct = (texts: string[]) => [
  ...new Set(texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)),
]
