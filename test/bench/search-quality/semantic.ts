import {
  createBundledEmbedder,
  describeFigure,
  type Embedder,
  fuseHits,
  meanVector,
  type ScoredHit,
} from '@figbase/search/semantic'
import { createBm25 } from './bm25.js'
import { type CorpusFigure, readSemanticCorpus } from './semantic-corpus.js'

export type SemanticQuality = {
  /** Part of the descriptions for which a figure with that description is among the first 10. */
  recall: number
  /** Part of the figures that are among the first 10 for their own description. */
  figureRecall: number
  /** Mean of 1 divided by the rank of the first figure with the description. */
  meanReciprocalRank: number
  /** The descriptions that found none of their figures. */
  missed: string[]
}

/** A search by words over the figures. The id of a hit is the index of its figure. */
export type OpenWords = (
  figures: WordedFigure[],
) => Promise<(query: string) => Promise<ScoredHit[]>>
/** `words`: what `describeFigure` knows of the code. */
export type WordedFigure = Omit<CorpusFigure, 'description'> & { words: string }

const found = 10
const candidates = 50
/** The recognition of text takes about a second for each. */
const quickFigures = 20
const signal = new AbortController().signal
const limits = { codeCharsMax: 200_000, passageCharsMax: 200, wordsCharsMax: 20_000 }
const embedderOptions = {
  concurrency: 1,
  timeoutMs: 60_000,
  memoryBytesMax: 2 ** 30,
  textCharsMax: 600,
  isKeptWarm: false,
}

/**
 * Searches for every description of the corpus among all its figures, which are indexed without names and
 * descriptions. Prints the quality by words, by vectors and of both together, for the half of the descriptions that
 * weights were chosen on and for the other half. Returns the quality of both together on the other half.
 */
export async function measureSemantic({
  openWords = openBm25,
  quick = false,
}: {
  openWords?: OpenWords
  quick?: boolean
} = {}): Promise<SemanticQuality> {
  const figures = await readSemanticCorpus(quick ? quickFigures : undefined)
  await using embedder = createBundledEmbedder(embedderOptions)
  const rankers = await createRankers(figures, embedder, openWords)
  const descriptions = [...new Set(figures.map(({ description }) => description))]
  const halves = [0, 1].map((half) => descriptions.filter((_, n) => n % 2 === half))
  let reported: SemanticQuality | undefined
  for (const [name, rank] of Object.entries(rankers)) {
    for (const [half, queries] of halves.entries()) {
      const quality = await measure(figures, queries, rank)
      print(name, half === 0 ? 'tuned on' : 'reported', quality, queries.length)
      reported = quality
    }
  }
  if (!reported) throw new Error('nothing was measured')
  for (const description of reported.missed) console.log(`  not found: ${description}`)
  return reported
}

type Rank = (query: string) => Promise<ScoredHit[]>

async function createRankers(figures: CorpusFigure[], embedder: Embedder, openWords: OpenWords) {
  const texts = figures.map(({ code, drawing, ocr }) =>
    describeFigure({ code: [code], drawings: [drawing], ocr }, limits),
  )
  const search = await openWords(
    figures.map(({ code, drawing, ocr }, n) => ({
      code,
      drawing,
      ocr,
      words: texts[n]?.words ?? '',
    })),
  )
  const vectors: (Float32Array | undefined)[] = []
  for (const { passages } of texts) {
    vectors.push(meanVector(await embedder.embedTexts(passages, signal)))
  }
  const words: Rank = async (query) => (await search(query)).slice(0, candidates)
  const near: Rank = async (query) => {
    const [vector] = await embedder.embedTexts([query], signal)
    return vectors
      .map((each, n) => ({ id: String(n), score: each && vector ? dot(each, vector) : -1 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, candidates)
  }
  const both: Rank = async (query) => fuseHits(await words(query), await near(query), candidates)
  return { words, vectors: near, both }
}

const openBm25: OpenWords = async (figures) => {
  const search = createBm25(
    figures.map(({ code, drawing, ocr, words }) => [words, words, code, drawing, ocr].join('\n')),
  )
  return async (query) => search(query).map(({ index, score }) => ({ id: String(index), score }))
}

async function measure(figures: CorpusFigure[], queries: string[], rank: Rank) {
  const missed: string[] = []
  let reciprocalRanks = 0
  let ownFound = 0
  let own = 0
  for (const query of queries) {
    const isOwn = ({ id }: ScoredHit) => figures[Number(id)]?.description === query
    const hits = (await rank(query)).slice(0, found)
    const first = hits.findIndex(isOwn)
    if (first < 0) missed.push(query)
    else reciprocalRanks += 1 / (first + 1)
    ownFound += hits.filter(isOwn).length
    own += figures.filter(({ description }) => description === query).length
  }
  return {
    recall: 1 - missed.length / queries.length,
    figureRecall: ownFound / own,
    meanReciprocalRank: reciprocalRanks / queries.length,
    missed,
  }
}

function print(name: string, half: string, quality: SemanticQuality, queries: number) {
  const { recall, figureRecall, meanReciprocalRank } = quality
  console.log(
    `semantic, ${name.padEnd(7)} (${half}, ${queries} queries): recall@10 ${recall.toFixed(3)}, ` +
      `of single figures ${figureRecall.toFixed(3)}, MRR ${meanReciprocalRank.toFixed(3)}`,
  )
}

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)
