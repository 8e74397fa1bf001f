import type { Entry } from './store.js'
import { distance, type ParsedQuery } from './tokens.js'

/** How a query looks at one field. */
export type QueriedField = {
  name: string
  weight: number
  prefix: boolean
  /** The number of typing errors. */
  typosMax: number
}

export type MatchRules = {
  fields: QueriedField[]
  /** Shorter words have no typing errors. */
  errorCharsMin: number
  allowsErrorsWithDigits: boolean
}

type FieldMatch = { words: number; typos: number; prefixes: number; isWhole: boolean }

export type DocumentMatch = {
  /** Descending order of matches, as in Typesense's 64 bits. */
  score: bigint
  bestWeight: number
  fieldsMatched: number
  wordsMatched: number
  /** By field: the words of the text that matched. */
  matched: Map<string, Set<string>>
}

/** Undefined: a word or phrase is in no field, or an excluded one is in some field. */
export function matchDocument(
  entry: Entry,
  query: ParsedQuery,
  rules: MatchRules,
): DocumentMatch | undefined {
  const { fields } = rules
  const textOf = (name: string) => entry.words.get(name) ?? []
  const hasPhrase = (name: string, phrase: string[]) => indexOf(textOf(name), phrase) >= 0
  const isExcluded = (phrase: string[]) => fields.some(({ name }) => hasPhrase(name, phrase))
  if (query.excluded.some(isExcluded)) return undefined
  const found = new Map<string, FieldMatch>()
  const matched = new Map<string, Set<string>>()
  const count = (name: string, words: string[], typos: number, prefixes: number) => {
    const text = textOf(name)
    const known = found.get(name) ?? { words: 0, typos: 0, prefixes: 0, isWhole: false }
    known.words += words.length
    known.typos += typos
    known.prefixes += prefixes
    known.isWhole = known.words === text.length && known.typos + known.prefixes === 0
    found.set(name, known)
    matched.set(name, new Set([...(matched.get(name) ?? []), ...words]))
  }
  for (const phrase of query.phrases) {
    const within = fields.filter(({ name }) => hasPhrase(name, phrase))
    if (within.length === 0) return undefined
    for (const { name } of within) count(name, phrase, 0, 0)
  }
  for (const [at, word] of query.words.entries()) {
    const isLast = at === query.words.length - 1
    let isFound = false
    for (const field of fields) {
      const best = bestWord(textOf(field.name), word, field, isLast, rules)
      if (!best) continue
      isFound = true
      count(field.name, [best.word], best.typos, Number(best.isPrefix))
    }
    if (!isFound) return undefined
  }
  return summaryOf(found, matched, fields)
}

function bestWord(
  words: string[],
  wanted: string,
  { prefix, typosMax }: QueriedField,
  isLast: boolean,
  { errorCharsMin, allowsErrorsWithDigits }: MatchRules,
) {
  if (words.includes(wanted)) return { word: wanted, typos: 0, isPrefix: false }
  if (prefix && isLast) {
    const longer = words.find((word) => word.startsWith(wanted))
    if (longer !== undefined) return { word: longer, typos: 0, isPrefix: true }
  }
  const allowsErrors = allowsErrorsWithDigits || !/\d/.test(wanted)
  if (typosMax < 1 || wanted.length < errorCharsMin || !allowsErrors) return undefined
  const near = words.find(
    (word) => Math.abs(word.length - wanted.length) <= 1 && distance(word, wanted) <= 1,
  )
  return near === undefined ? undefined : { word: near, typos: 1, isPrefix: false }
}

function indexOf(words: string[], phrase: string[]): number {
  return words.findIndex((_, start) => phrase.every((word, at) => words[start + at] === word))
}

function summaryOf(
  found: Map<string, FieldMatch>,
  matched: Map<string, Set<string>>,
  fields: QueriedField[],
): DocumentMatch | undefined {
  const scores = fields.flatMap(({ name, weight }) => {
    const match = found.get(name)
    return match ? [{ weight, match, score: scoreOf(match, weight) }] : []
  })
  const [best] = scores.sort((a, b) => (a.score < b.score ? 1 : -1))
  if (!best) return undefined
  // As large as those of Typesense, which a JavaScript number cannot hold exactly.
  const score = (1n << 60n) + (best.score << 8n) + BigInt(Math.min(255, scores.length))
  return {
    score,
    bestWeight: best.weight,
    fieldsMatched: scores.length,
    wordsMatched: best.match.words,
    matched,
  }
}

/** More words, fewer typing errors, fewer unfinished words, the whole field, and then the weight of the field. */
const scoreOf = ({ words, typos, prefixes, isWhole }: FieldMatch, weight: number) =>
  [words, 255 - typos, 255 - prefixes, Number(isWhole), weight]
    .map((part) => BigInt(Math.min(255, part)))
    .reduce((score, part) => (score << 8n) | part, 0n)
