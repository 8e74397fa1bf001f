/** The parts of the reply of tesseract.js that are used. */
export type RecognizedBlock = { paragraphs: { lines: { words: RecognizedWord[] }[] }[] }
export type RecognizedWord = { text: string /** 0 to 100. */; confidence: number }

export type WordLimits = {
  /** Words with a lower confidence are dropped. 0 to 100. */
  confidenceMin: number
  textCharsMax: number
}

const letterOrDigit = /[\p{L}\p{N}]/u
/** A real word, not a line or a mark of the chart that looks like a letter or two. */
const surelyWord = /\p{L}{3}/u

/**
 * The lines of a picture as it stands, then the words of the picture turned by 90° that are not among them. In the
 * turned picture, all horizontal text is noise: only words of three letters or more count.
 */
export function recognizedText(
  upright: RecognizedBlock[],
  turned: RecognizedBlock[],
  limits: WordLimits,
): string {
  const lines = linesOf(upright, limits.confidenceMin, letterOrDigit)
  const known = new Set(lines.flat())
  const turnedLines = linesOf(turned, limits.confidenceMin, surelyWord)
    .map((words) => words.filter((word) => !known.has(word)))
    .filter((words) => words.length > 0)
  const text = [...lines, ...turnedLines].map((words) => words.join(' ')).join('\n')
  return text.slice(0, limits.textCharsMax)
}

const linesOf = (blocks: RecognizedBlock[], confidenceMin: number, pattern: RegExp): string[][] =>
  blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ words }) =>
      words
        .filter(({ text, confidence }) => confidence >= confidenceMin && pattern.test(text))
        .map(({ text }) => text),
    )
    .filter((words) => words.length > 0)
