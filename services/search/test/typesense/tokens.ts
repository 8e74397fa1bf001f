/** Other marks than letters and digits are dropped; words end at white space. */
export const tokensOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}\p{M}]/gu, ''))
    .filter(Boolean)

/** The fewest typing errors between two words; a swap of neighbours is one. */
export function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped))
    }
  }
  return at(a.length, b.length)
}

export type ParsedQuery = {
  words: string[]
  phrases: string[][]
  /** Words and phrases. */
  excluded: string[][]
}

/** `word`, `"a phrase"`, `-word`, `-"a phrase"`. */
export function parseQ(q: string): ParsedQuery {
  const parsed: ParsedQuery = { words: [], phrases: [], excluded: [] }
  for (const [, sign, phrase, word] of q.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
    const tokens = tokensOf(phrase ?? word ?? '')
    if (tokens.length === 0) continue
    if (sign) parsed.excluded.push(tokens)
    else if (phrase === undefined) parsed.words.push(...tokens)
    else parsed.phrases.push(tokens)
  }
  return parsed
}
