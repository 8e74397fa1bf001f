import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { urlOf } from '../database.js'
import { median } from '../measure.js'
import { type Product, startProduct } from '../product.js'
import { seed } from '../seed.js'
import type { Progress } from '../topology.js'
import { fill } from './fill.js'
import { get, type Party, post, type Question, reads, remove, timed } from './requests.js'

export type ReadAtScale = {
  title: string
  small: { p50Ms: number; p99Ms: number }
  large: { p50Ms: number; p99Ms: number }
  /** The 99th percentile of the large product, divided by that of the small one. */
  ratio: number
  /** Full scans of tables of the large product meanwhile, with their number. */
  wholeReads: string[]
}
export type ScaleReport = {
  nodes: { small: number; large: number }
  reads: ReadAtScale[]
  /** Publications per second of eight clients. */
  publishing: { togetherPerSecond: number; apartPerSecond: number; ratio: number }
  deleteMs: number
}

type Size = { small: number; large: number; rounds: number; times: number; publishSeconds: number }
const sizes: Record<'quick' | 'full', Size> = {
  quick: { small: 2000, large: 50_000, rounds: 3, times: 100, publishSeconds: 2 },
  full: { small: 10_000, large: 1_000_000, rounds: 5, times: 100, publishSeconds: 4 },
}
const clients = 8
// Smaller tables may be scanned.
const rowsOfInterest = 1000

/** Alternates the same requests between two products, one with much more data. */
export async function measureScale(
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<ScaleReport> {
  const size = quick ? sizes.quick : sizes.full
  await using smallProduct = await startProduct('all-in-one', join(scratch, 'small'))
  await using largeProduct = await startProduct('all-in-one', join(scratch, 'large'))
  const small = await progress(`${size.small} nodes`, () => make(smallProduct, size.small))
  const large = await progress(`${size.large} nodes, five entries of the log each`, () =>
    make(largeProduct, size.large),
  )
  const report: ReadAtScale[] = []
  for (const [title, questionOf] of Object.entries(reads)) {
    const before = await wholeReads(largeProduct)
    const times = await progress(title, () => compare(questionOf, small, large, size))
    report.push({ title, ...times, wholeReads: more(before, await wholeReads(largeProduct)) })
  }
  const publishing = await progress('eight clients publish', () =>
    measurePublishing(large, size.publishSeconds, size.rounds),
  )
  return {
    nodes: { small: small.filled.nodes, large: large.filled.nodes },
    reads: report,
    publishing,
    deleteMs: await progress('the large workspace is deleted', () => measureDelete(large)),
  }
}

async function make(product: Product, nodes: number): Promise<Party> {
  const { headers } = await seed(product.url, 1)
  const party = { url: product.url, headers }
  const { api_id } = await post(party, 'workspace/', { name: 'Large' })
  const digest = await oneAssetRevision(party, api_id)
  return { ...party, filled: { ...(await fill(product, api_id, nodes)), digest } }
}

/** Publishes an asset revision, waits until it can be found by its hash, and returns the hash. */
async function oneAssetRevision(party: Pick<Party, 'url' | 'headers'>, workspace: string) {
  const { api_id: asset } = await post(party, 'asset/', { name: 'Samples', workspace })
  const made = await post<AssetRevision>(party, 'asset_revision/', { asset, data })
  const digest = made.data[0]?.hash ?? ''
  const body = { hash_type: 'blake3', digest }
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(20)) {
    const found = await post<unknown[]>(party, 'asset_revision/find_by_hash/', body, 200)
    if (found.length === 1) return digest
  }
  throw new Error('asset revision not found')
}

type AssetRevision = { data: { hash: string }[] }

const more = (before: Map<string, number>, after: Map<string, number>) =>
  [...after].flatMap(([table, count]) => {
    const times = count - (before.get(table) ?? 0)
    return times > 0 ? [`${table} ${times}×`] : []
  })

async function compare(
  questionOf: (filled: Party['filled']) => Question,
  small: Party,
  large: Party,
  { rounds, times }: Size,
): Promise<Omit<ReadAtScale, 'title' | 'wholeReads'>> {
  const found: Record<'small' | 'large', { p50Ms: number; p99Ms: number }[]> = {
    small: [],
    large: [],
  }
  for (const party of [small, large]) await timed(party, questionOf(party.filled), times)
  for (let round = 0; round < rounds; round++) {
    found.small.push(await timed(small, questionOf(small.filled), times))
    found.large.push(await timed(large, questionOf(large.filled), times))
  }
  const of = (which: 'small' | 'large') => ({
    p50Ms: median(found[which].map(({ p50Ms }) => p50Ms)),
    p99Ms: median(found[which].map(({ p99Ms }) => p99Ms)),
  })
  const [s, l] = [of('small'), of('large')]
  return { small: s, large: l, ratio: l.p99Ms / s.p99Ms }
}

/** The number of full scans of each larger table so far. */
async function wholeReads(product: Product): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: urlOf(product, 'figbase') })
  await client.connect()
  try {
    const { rows } = await client.query<{ relname: string; seq_scan: string }>(
      `select pg_stat_force_next_flush()::text, t.relname, t.seq_scan from pg_stat_user_tables t
        where t.schemaname in ('catalog', 'revisions') and t.n_live_tup > $1`,
      [rowsOfInterest],
    )
    return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]))
  } finally {
    await client.end()
  }
}

/** Publishes to one workspace and to eight, alternately; a failing request ends the benchmark. */
async function measurePublishing(party: Party, seconds: number, rounds: number) {
  const figures = await Promise.all(
    Array.from({ length: clients }, async () => {
      const { api_id: workspace } = await post(party, 'workspace/', { name: 'Apart' })
      return newFigure(party, workspace)
    }),
  )
  const shared = await Promise.all(
    figures.map(() => newFigure(party, party.filled.workspace, party.filled.analysis)),
  )
  await publishFor(party, figures, 1)
  const together: number[] = []
  const apart: number[] = []
  for (let round = 0; round < rounds; round++) {
    together.push(await publishFor(party, shared, seconds))
    apart.push(await publishFor(party, figures, seconds))
  }
  const [togetherPerSecond, apartPerSecond] = [median(together), median(apart)]
  return { togetherPerSecond, apartPerSecond, ratio: togetherPerSecond / apartPerSecond }
}

async function newFigure(party: Party, workspace: string, analysis?: string): Promise<string> {
  const place = analysis ?? (await post(party, 'analysis/', { name: 'A', workspace })).api_id
  return (await post(party, 'figure/', { name: 'F', analysis: place })).api_id
}

const data = [{ name: 'notes', type: 'text', data: Buffer.from('some notes').toString('base64') }]

async function publishFor(party: Party, figures: string[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  const client = async (figure: string) => {
    while (performance.now() < end) {
      await post(party, 'revision/', { figure, data })
      count++
    }
  }
  await Promise.all(figures.map(client))
  return count / seconds
}

/** Measures the deletion, and checks that nothing below can be read afterwards. */
async function measureDelete(party: Party): Promise<number> {
  const { workspace, figure, analysis } = party.filled
  const begin = performance.now()
  await remove(party, `workspace/${workspace}/`)
  const tookMs = performance.now() - begin
  for (const path of [`workspace/${workspace}/`, `analysis/${analysis}/`, `figure/${figure}/`]) {
    await get(party, path, 404)
  }
  return tookMs
}
