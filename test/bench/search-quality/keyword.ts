import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from '@figbase/kit/testing'
import { type IndexedDocument, parseQuery } from '@figbase/search/words'
import { requireCorpus } from './corpus.js'
import { type Drawing, drawingsOf } from './keyword-queries.js'
import { openSearchDatabase, type SearchDatabase } from './search-database.js'

/** By how the words are drawn: on the half that ranking was tuned on, and on the other half. */
export type KeywordQuality = Record<string, Quality[]>

type Quality = {
  /** Mean of 1 divided by the rank of the description that the words are from; 0: not found. */
  meanReciprocalRank: number
  /**
   * What the best ranking reaches that knows all descriptions and how words are drawn, but not from which one. No other is
   * better over all descriptions, but one may be on a part of them.
   */
  ceiling: number
  queries: number
}

type Entry = {
  name: string
  title: string
  description: string
  vector: string | null
  code: string | null
}
type Query = { words: string[]; description: string }

const found = 100
const workspaceId = randomUUID()
/** Each draws other words. */
const seeds = 10
const halves = ['tuned on', 'reported']

/**
 * Indexes the corpus with names and descriptions, and searches for two or three words of each description, drawn in
 * several ways. Prints the quality on the half of the descriptions that ranking was tuned on, on the other half, and on
 * both, beside the ceiling of each. Figures with the same description count as one.
 */
export async function measureKeyword(databaseUrl: string): Promise<KeywordQuality> {
  const entries = await readCorpus()
  await using search = await openSearchDatabase(databaseUrl)
  const descriptionOf = await index(search, entries)
  const descriptions = [...new Set(entries.map(({ description }) => description).filter(Boolean))]
  const quality: KeywordQuality = {}
  for (const drawing of drawingsOf(frequencies(entries))) {
    const measured: Quality[] = []
    for (const half of halves.keys()) {
      const queries = draw(
        drawing,
        descriptions.filter((_, n) => n % 2 === half),
      )
      const meanReciprocalRank = await measure(search, queries, descriptionOf)
      const ceilings = queries.map((query) => ceilingOf(drawing, query, descriptions))
      measured.push({ meanReciprocalRank, ceiling: mean(ceilings), queries: queries.length })
    }
    print(drawing.name, measured)
    quality[drawing.name] = measured
  }
  const all = Object.values(quality)
  quality.mean = halves.map((_, half) => meanOf(all.flatMap((measured) => measured[half] ?? [])))
  print('mean', quality.mean)
  return quality
}

async function readCorpus() {
  const folder = requireCorpus()
  const entries: Entry[] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  const textIn = async (path: string | null) => (path ? readFile(join(folder, path), 'utf8') : '')
  return Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      code: await textIn(entry.code),
      text: drawnText(await textIn(entry.vector)),
    })),
  )
}

type Figure = Awaited<ReturnType<typeof readCorpus>>[number]

const drawnText = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join('\n')

/** Resolves to the description of each id. */
async function index({ engine, write }: SearchDatabase, figures: Figure[]) {
  const descriptions = new Map<string, string>()
  const documents = figures.map(({ name, title, description, code, text }, n): IndexedDocument => {
    // Equal scores are ordered by id: always the same ids give always the same figures.
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    descriptions.set(id, description)
    return {
      ...{ id, type: 'figure', workspaceId, analysisId: null, itemId: id, hiddenBy: null },
      createdOn: '2024-01-01T00:00:00Z',
      fields: { name, description, metadata: title, code, text },
    }
  })
  await engine.create(1)
  await write(1, documents)
  await engine.publish(1)
  return descriptions
}

function frequencies(figures: Figure[]): (word: string) => number {
  const texts = figures.map((figure) => Object.values(figure).join('\n').toLowerCase())
  return (word) => texts.filter((text) => text.includes(word.toLowerCase())).length
}

function draw({ draw }: Drawing, descriptions: string[]): Query[] {
  return Array.from({ length: seeds }, (_, seed) => seededRandom(seed + 1)).flatMap((random) =>
    descriptions.flatMap((description) =>
      [2, 3]
        .map((count) => ({ words: draw(description, count, random), description }))
        .filter(({ words }) => words.length > 0),
    ),
  )
}

/** The mean of 1 divided by the rank if the likeliest descriptions come first, in any order among equals. */
function ceilingOf({ likelihood }: Drawing, { words, description }: Query, all: string[]): number {
  const own = likelihood(description, words)
  const others = all.filter((one) => one !== description).map((one) => likelihood(one, words))
  const before = others.filter((one) => one > own).length
  const equal = 1 + others.filter((one) => one === own).length
  return mean(Array.from({ length: equal }, (_, at) => 1 / (before + at + 1)))
}

async function measure(
  { engine }: SearchDatabase,
  queries: Query[],
  descriptionOf: Map<string, string>,
): Promise<number> {
  const filter = { roots: [workspaceId], recent: [] }
  const page = { limit: found, offset: 0, withHighlights: false }
  const reciprocals: number[] = []
  for (const { words, description } of queries) {
    const hits = await engine.find(parseQuery(words.join(' '), 'all'), filter, page)
    const ranked = [...new Set(hits.map(({ id }) => descriptionOf.get(id) || id))]
    const rank = ranked.indexOf(description) + 1
    reciprocals.push(rank > 0 ? 1 / rank : 0)
  }
  return mean(reciprocals)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const meanOf = (measured: Quality[]): Quality => ({
  meanReciprocalRank: mean(measured.map(({ meanReciprocalRank }) => meanReciprocalRank)),
  ceiling: mean(measured.map(({ ceiling }) => ceiling)),
  queries: measured.reduce((sum, { queries }) => sum + queries, 0),
})

function print(name: string, measured: Quality[]) {
  const both = { ...meanOf(measured), half: 'both' }
  const parts = [...measured.map((one, at) => ({ ...one, half: halves[at] })), both].map(
    ({ half, meanReciprocalRank, ceiling }) =>
      `${half} ${meanReciprocalRank.toFixed(3)} of ${ceiling.toFixed(3)}`,
  )
  console.log(`keyword, ${name} (${both.queries} queries): MRR of its ceiling: ${parts.join(', ')}`)
}
