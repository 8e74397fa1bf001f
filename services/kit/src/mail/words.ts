// What hides, or turns the direction of the text around it; the two joiners that scripts need stay.
const unseen = /(?![\u200c\u200d])\p{C}/gu
const valueCharsMax = 100

/**
 * A sentence with values of users in it. What they could disturb it with is taken out, and long ones
 * are cut: words`${name} invites you`.
 */
export function words(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce(
    (text, part, index) => `${text}${oneLine(values[index - 1] ?? '', valueCharsMax)}${part}`,
  )
}

/** What a user wrote, as one line without what could disturb its reader, cut where it is long. */
export function oneLine(value: string, charsMax: number): string {
  const chars = [...plain(value)]
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join('')}…` : chars.join('')
}

const plain = (value: string) => value.replaceAll(/\s+/gu, ' ').replaceAll(unseen, '').trim()

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u
const quotedLinesMax = 20
const quotedCharsMax = 1000

/** The lines of a user's text that are not empty, each as `words` shows values; what is long is cut at its end. */
export function quoted(text: string): string[] {
  const kept: string[] = []
  let left = quotedCharsMax
  for (const line of text.split(lineBreak).map(plain).filter(Boolean)) {
    if (left === 0 || kept.length === quotedLinesMax) return [...kept, '…']
    const chars = [...line]
    if (chars.length > left) return [...kept, `${chars.slice(0, left - 1).join('')}…`]
    kept.push(line)
    left -= chars.length
  }
  return kept
}
