import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '@figbase/kit/testing'
import { type IndexedDocument, parseQuery } from '@figbase/search/words'
import { openSearchDatabase, type SearchDatabase } from '../search-speed/search-database.js'

export type KeywordQuality = {
  queries: number
  /** Mean of 1 divided by the rank of the description that the words are from. */
  meanReciprocalRank: number
  /** Queries that did not find it first, with its rank; 0: not found. */
  missed: { query: string; description: string; rank: number }[]
}

type Entry = {
  name: string
  title: string
  description: string
  vector: string | null
  code: string | null
}
type Query = { query: string; description: string }

const beside = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))
const found = 100
const workspaceId = randomUUID()
const commonWords = new Set(
  'the and for with from this that are was its into can how has have not each all over which using used use'.split(
    ' ',
  ),
)

/**
 * Indexes the corpus with names and descriptions, and searches for two or three words of each description: the rarest
 * ones, and random ones. Prints the quality on the half of the descriptions that ranking was tuned on, and on the
 * other half, which it returns. Figures with the same description count as one.
 */
export async function measureKeyword(databaseUrl: string): Promise<KeywordQuality> {
  const entries = await readCorpus()
  await using search = await openSearchDatabase(databaseUrl)
  const descriptionOf = await index(search, entries)
  const descriptions = [...new Set(entries.map(({ description }) => description).filter(Boolean))]
  const halves = [0, 1].map((half) => descriptions.filter((_, n) => n % 2 === half))
  let reported: KeywordQuality | undefined
  for (const [half, part] of halves.entries()) {
    const chosen = { rarest: rarestWords(part, entries), random: randomWords(part) }
    for (const [kind, queries] of Object.entries(chosen)) {
      print(kind, half, await measure(search, queries, descriptionOf))
    }
    reported = await measure(search, Object.values(chosen).flat(), descriptionOf)
    print('both', half, reported)
  }
  if (!reported) throw new Error('nothing was measured')
  for (const { rank, query, description } of reported.missed) {
    console.log(`  rank ${rank}: ${query} (${description})`)
  }
  return reported
}

async function readCorpus() {
  const folder = process.env.FIGBASE_CORPUS ?? beside
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

const wordsOf = (text: string) =>
  [...new Set(text.match(/[\p{L}\p{N}]+/gu))].filter(
    (word) => word.length >= 3 && !commonWords.has(word.toLowerCase()),
  )

function rarestWords(descriptions: string[], figures: Figure[]): Query[] {
  const texts = figures.map((figure) => Object.values(figure).join('\n').toLowerCase())
  const frequency = (word: string) =>
    texts.filter((text) => text.includes(word.toLowerCase())).length
  return descriptions.flatMap((description) => {
    const words = wordsOf(description).sort((a, b) => frequency(a) - frequency(b))
    return [2, 3]
      .filter((count) => words.length >= count)
      .map((count) => ({ query: words.slice(0, count).join(' '), description }))
  })
}

/** As often two as three words. */
function randomWords(descriptions: string[]): Query[] {
  const random = seededRandom(1)
  return descriptions.flatMap((description) =>
    [2, 3].flatMap((count) => {
      const words = wordsOf(description)
      if (words.length < count) return []
      const chosen = Array.from(
        { length: count },
        () => words.splice(Math.floor(random() * words.length), 1)[0] ?? '',
      )
      return [{ query: chosen.join(' '), description }]
    }),
  )
}

async function measure(
  { engine }: SearchDatabase,
  queries: Query[],
  descriptionOf: Map<string, string>,
): Promise<KeywordQuality> {
  const filter = { roots: [workspaceId], recent: [] }
  const missed: KeywordQuality['missed'] = []
  let sum = 0
  for (const { query, description } of queries) {
    const page = { limit: found, offset: 0, withHighlights: false }
    const hits = await engine.find(parseQuery(query, 'all'), filter, page)
    const ranked = [...new Set(hits.map(({ id }) => descriptionOf.get(id) || id))]
    const rank = ranked.indexOf(description) + 1
    if (rank > 0) sum += 1 / rank
    if (rank !== 1) missed.push({ query, description, rank })
  }
  return { queries: queries.length, meanReciprocalRank: sum / queries.length, missed }
}

function print(kind: string, half: number, { queries, meanReciprocalRank }: KeywordQuality) {
  const name = half === 0 ? 'tuned on' : 'reported'
  console.log(
    `keyword, ${kind} words (${name}, ${queries} queries): MRR ${meanReciprocalRank.toFixed(3)}`,
  )
}
