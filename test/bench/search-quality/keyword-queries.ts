import type { seededRandom } from '@figbase/kit/testing'

/** A way to choose words of a description as a query. */
export type Drawing = {
  name: string
  /** Queries of two words and of three words. */
  draw(description: string, count: number, random: ReturnType<typeof seededRandom>): string[]
  /** How likely these words are drawn from a description; 0: it does not contain them. */
  likelihood(description: string, drawn: string[]): number
}

const stopWords = new Set(
  `a an and are as at be been but by can could did do does each for from had has have he how i if in into is it its
   just may no not of on or our over she should so some such than that the their them then there these they this those
   to up use used using was we were what when which while who will with would you your all`.split(
    /\s+/,
  ),
)

const allWords = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
const contentWords = (text: string) =>
  allWords(text).filter((word) => word.length >= 3 && !stopWords.has(word.toLowerCase()))

type WordsOf = (text: string) => string[]

/** `frequencyOf`: in how many texts a word is. */
export function drawingsOf(frequencyOf: (word: string) => number): Drawing[] {
  return [
    randomWords('random words', contentWords),
    randomWords('random words, also stop words', allWords),
    consecutiveWords('consecutive words', allWords),
    consecutiveWords('consecutive words but stop words', contentWords),
    { ...randomWords('rarest words', contentWords), draw: rarestWords(frequencyOf) },
  ]
}

function randomWords(name: string, wordsOf: WordsOf): Drawing {
  return {
    name,
    draw(description, count, random) {
      const words = distinct(wordsOf(description))
      if (words.length < count) return []
      return Array.from(
        { length: count },
        () => words.splice(Math.floor(random() * words.length), 1)[0] ?? '',
      )
    },
    likelihood(description, drawn) {
      const words = distinct(wordsOf(description).map(lower))
      if (!drawn.every((word) => words.includes(lower(word)))) return 0
      return 1 / combinations(words.length, drawn.length)
    },
  }
}

function consecutiveWords(name: string, wordsOf: WordsOf): Drawing {
  return {
    name,
    draw(description, count, random) {
      const words = wordsOf(description)
      if (words.length < count) return []
      const start = Math.floor(random() * (words.length - count + 1))
      return words.slice(start, start + count)
    },
    likelihood(description, drawn) {
      const words = wordsOf(description).map(lower)
      const starts = words.filter((_, start) =>
        drawn.every((word, at) => words[start + at] === lower(word)),
      )
      return starts.length / Math.max(1, words.length - drawn.length + 1)
    },
  }
}

function rarestWords(frequencyOf: (word: string) => number): Drawing['draw'] {
  return (description, count) => {
    const words = distinct(contentWords(description))
    if (words.length < count) return []
    return words.sort((a, b) => frequencyOf(a) - frequencyOf(b)).slice(0, count)
  }
}

const lower = (word: string) => word.toLowerCase()

const distinct = (words: string[]) => [
  ...new Map(words.toReversed().map((word) => [lower(word), word])).values(),
]

const combinations = (n: number, k: number): number =>
  k === 0 ? 1 : (combinations(n - 1, k - 1) * n) / k
