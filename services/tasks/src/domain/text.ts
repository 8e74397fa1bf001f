import { stripVTControlCharacters } from 'node:util'

/** One line of plain text without escape sequences and control characters, truncated. */
export function toPlainLine(text: string, charsMax: number): string {
  const plain = stripVTControlCharacters(text.slice(0, 2 * charsMax))
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replace(/(?!\t)\p{Cc}/gu, '')
  const cut = plain.length > charsMax ? `${plain.slice(0, charsMax - 1)}…` : plain
  // Halves of surrogate pairs become U+FFFD.
  return Buffer.from(cut).toString()
}
