// Invisible and direction-changing characters, except the two joiners that some scripts need.
const invisible = /(?![\u200c\u200d])\p{C}/gu
/** Sanitizes a user's text to a single line, truncated at `charsMax`. */
export function oneLine(value: string, charsMax: number): string {
  const chars = [...plain(value)]
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join('')}…` : chars.join('')
}

const plain = (value: string) => value.replaceAll(/\s+/gu, ' ').replaceAll(invisible, '').trim()

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u
const quotedLinesMax = 20
const quotedCharsMax = 1000

/** The non-empty lines of a user's text, sanitized and truncated. */
export function quoted(text: string): string[] {
  const lines: string[] = []
  let left = quotedCharsMax
  for (const line of text.split(lineBreak).map(plain).filter(Boolean)) {
    if (left === 0 || lines.length === quotedLinesMax) return [...lines, '…']
    const chars = [...line]
    if (chars.length > left) return [...lines, `${chars.slice(0, left - 1).join('')}…`]
    lines.push(line)
    left -= chars.length
  }
  return lines
}
