import { join } from 'node:path'
import { bundledModel } from '@figbase/search/semantic'
import pg from 'pg'
import { urlOf } from '../database.js'
import type { ProcessMemory } from '../processes.js'
import { startProduct } from '../product.js'
import { distortions } from '../search-quality/distortions.js'
import { seed } from '../seed.js'
import type { Progress } from '../topology.js'
import { type EngineReport, measureEngine } from './engine-cpu.js'
import { type Filled, type FillSize, fill } from './fill.js'
import { Generated } from './generated.js'
import { type Lag, measureLag } from './lag.js'
import { measureReindex, type Reindex } from './reindex.js'
import {
  type Caller,
  type Latency,
  measureSearches,
  type SearchBody,
  searchFor,
} from './requests.js'
import { type IndexSizes, readSizes } from './sizes.js'

export type SearchSpeedReport = {
  objects: number
  revisions: number
  /** Of each kind of search, through the gateway. */
  searches: Record<string, Latency>
  engine: EngineReport
  reindex: Reindex
  /** From the first search by meaning until all vectors and pictures were in memory. */
  loadSeconds: number
  memory: { before: ProcessMemory[]; after: ProcessMemory[] }
  sizes: IndexSizes
  lag: Lag
}

export type SpeedSize = FillSize & {
  searches: number
  pictureSearches: number
  lagSeconds: number
}

export const speedSizes: Record<'quick' | 'full', SpeedSize> = {
  quick: { revisions: 3000, pictures: 30, searches: 100, pictureSearches: 40, lagSeconds: 5 },
  full: { revisions: 100_000, pictures: 500, searches: 1000, pictureSearches: 200, lagSeconds: 30 },
}

const caller = 'ada'
const writesPerSecond = 50
const warmUps = 20
// A million vectors take minutes on a busy machine.
const loadMsMax = 900_000

/** Measures searches, indexing and memory of a product in one process that has this many figure revisions. */
export async function measureSearchSpeed(
  size: SpeedSize,
  scratch: string,
  progress: Progress,
): Promise<SearchSpeedReport> {
  await using product = await startProduct('all-in-one', join(scratch, 'search-speed'))
  const { headers } = await seed(product.url, 1)
  const me = { url: product.url, headers, trees: product.trees }
  const url = urlOf(product, 'figbase')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const filled = await progress(`${size.revisions} figure revisions are written`, () =>
      fill(client, caller, size, bundledModel),
    )
    const reindex = await progress('reindex', () => measureReindex(product, client))
    await client.query('vacuum analyze')
    const before = product.trees.memories()
    const loadSeconds = await progress('vectors and pictures are loaded', () =>
      load(me, filled.pictures[0]),
    )
    const searches: Record<string, Latency> = {}
    for (const [kind, bodies] of Object.entries(await bodiesOf(filled, size))) {
      await measureSearches(me, bodies.slice(0, warmUps))
      searches[kind] = await progress(`searches: ${kind}`, () =>
        measureSearches(me, bodies.slice(warmUps)),
      )
    }
    const after = product.trees.memories()
    const queries = queriesOf(filled, size.searches)
    const engine = await progress('the engine by itself, and a plain statement', () =>
      measureEngine(url, product.trees, caller, queries),
    )
    const lag = await progress(`${writesPerSecond} writes/s`, () =>
      measureLag(me, writesPerSecond, size.lagSeconds),
    )
    const { objects, revisions } = filled
    const sizes = await readSizes(client)
    return {
      objects,
      revisions,
      searches,
      engine,
      reindex,
      loadSeconds,
      sizes,
      lag,
      memory: { before, after },
    }
  } finally {
    await client.end()
  }
}

/**
 * The first searches begin to read all into memory, and start the processes of the models. They are repeated while they
 * fail with `search_unavailable`.
 */
async function load(me: Caller, image: Buffer | undefined): Promise<number> {
  const begun = performance.now()
  const bodies: SearchBody[] = [{ search_type: 'semantic', query: 'a first query' }]
  if (image) bodies.push({ search_type: 'image', image: image.toString('base64') })
  for (const body of bodies) await searchWhenLoaded(me, body, begun + loadMsMax)
  return (performance.now() - begun) / 1000
}

async function searchWhenLoaded(me: Caller, body: SearchBody, end: number): Promise<void> {
  try {
    await searchFor(me, body)
  } catch (error) {
    const isLoading = error instanceof Error && error.message.includes('search_unavailable')
    if (!isLoading || performance.now() > end) throw error
    await searchWhenLoaded(me, body, end)
  }
}

const queriesOf = ({ texts }: Filled, count: number) => {
  const generated = new Generated(2)
  return Array.from({ length: count }, () =>
    generated.queryIn(texts[generated.below(texts.length)] ?? ''),
  )
}

/** With some more of each kind, for warming up. */
async function bodiesOf(
  filled: Filled,
  { searches, pictureSearches }: SpeedSize,
): Promise<Record<string, SearchBody[]>> {
  const queries = queriesOf(filled, searches + warmUps)
  const of = (search_type: string, all = queries): SearchBody[] =>
    all.map((query) => ({ search_type, query }))
  const generated = new Generated(3)
  return {
    keyword: of('keyword'),
    'keyword, one word mistyped': of(
      'keyword',
      queries.map((query) => generated.mistyped(query)),
    ),
    'keyword, two frequent words': of('keyword', generated.frequentQueries(searches + warmUps)),
    text: of('text'),
    semantic: of('semantic'),
    image: await pictureBodies(filled.pictures, pictureSearches + warmUps),
  }
}

/** Pictures as they are in the index, each distorted in another way. */
async function pictureBodies(pictures: Buffer[], count: number): Promise<SearchBody[]> {
  const bodies: SearchBody[] = []
  for (let n = 0; n < count; n++) {
    const picture = pictures[n % pictures.length]
    const distortion = distortions[n % distortions.length]
    if (!picture || !distortion) throw new Error('no pictures')
    const image = (await distortion.apply(picture, n)).toString('base64')
    bodies.push({ search_type: 'image', image })
  }
  return bodies
}
