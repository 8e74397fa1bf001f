/** A search by words over few texts, in memory, in place of an engine: BM25 with the usual parameters. */
export function createBm25(texts: string[]): (query: string) => { index: number; score: number }[] {
  const documents = texts.map((text) => countWords(wordsOf(text)))
  const lengths = documents.map((words) => [...words.values()].reduce((a, b) => a + b, 0))
  const meanLength = lengths.reduce((a, b) => a + b, 0) / lengths.length
  const weightOf = (word: string) => {
    const found = documents.filter((words) => words.has(word)).length
    return Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
  }
  return (query) => {
    const weights = new Map(wordsOf(query).map((word) => [word, weightOf(word)]))
    const hits = documents.map((words, index) => {
      let score = 0
      for (const [word, weight] of weights) {
        const count = words.get(word) ?? 0
        const saturation = 1.2 * (0.25 + (0.75 * (lengths[index] ?? 0)) / meanLength)
        score += (weight * count * 2.2) / (count + saturation)
      }
      return { index, score }
    })
    return hits.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  }
}

const stopWords = new Set(
  'a an and are as at be by for from in is it its of on or that the this to was were with'.split(
    ' ',
  ),
)

/** Words in lower case without accents; identifiers are split, and endings of English plurals and verbs are cut. */
const wordsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? []
  )
    .filter((word) => !stopWords.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|al)$/, '') : word))

function countWords(words: string[]) {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
