import { setTimeout as sleep } from 'node:timers/promises'
import type { Floor } from './floor/floor.js'
import type { LoadJob, LoadResult, Target } from './load/jobs.js'
import type { Operation } from './operations.js'
import type { ProcessTrees } from './processes.js'
import type { Product } from './product.js'
import type { Worker } from './worker.js'

/** Medians of the rounds; CPU time in milliseconds a request. */
export type Figures = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  serversMs: number
  postgresMs: number
}
export type Comparison = {
  name: string
  title: string
  product: Figures
  floor: Figures
  /** The product's CPU time a request as a multiple of the floor's. */
  ratio: number
  ratioWithoutPostgres: number
}
export type Pace = { rounds: number; seconds: number; warmUpSeconds: number }

/** When the product was under load, on the clock that profiles use. */
export type Window = { fromUs: number; toUs: number }

const settleMsMax = 60_000
const settleSampleMs = 250
const quietPart = 0.1

/** Drives both in turn, again and again, so that what disturbs one disturbs the other. */
export async function compare(
  operation: Operation,
  { product, floor }: { product: Product; floor: Floor },
  generator: Worker,
  pace: Pace,
  windows: Window[],
): Promise<Comparison> {
  const { name, title, concurrency } = operation
  const drive = (origin: string, trees: ProcessTrees, target: Target, seconds: number) =>
    turn(generator, trees, { kind: 'load', origin, target, concurrency, seconds })
  await drive(product.url, product.trees, operation.product, pace.warmUpSeconds)
  await drive(floor.url, floor.trees, operation.floor, pace.warmUpSeconds)
  const ofProduct: Figures[] = []
  const ofFloor: Figures[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const fromUs = nowUs()
    ofProduct.push(await drive(product.url, product.trees, operation.product, pace.seconds))
    windows.push({ fromUs, toUs: nowUs() })
    ofFloor.push(await drive(floor.url, floor.trees, operation.floor, pace.seconds))
  }
  const ratioOf = (cpuOf: (figures: Figures) => number) =>
    median(ofProduct.map((figures, round) => cpuOf(figures) / cpuOf(ofFloor[round] ?? figures)))
  return {
    name,
    title,
    product: mediansOf(ofProduct),
    floor: mediansOf(ofFloor),
    ratio: ratioOf(({ serversMs, postgresMs }) => serversMs + postgresMs),
    ratioWithoutPostgres: ratioOf(({ serversMs }) => serversMs),
  }
}

// What a request leaves to be done later (a thumbnail, the folding of sizes) is its cost as well.
async function turn(generator: Worker, trees: ProcessTrees, job: LoadJob): Promise<Figures> {
  const before = trees.cpu()
  const load = await generator.ask<LoadResult>(job, job.seconds * 1000 + 120_000)
  await settle(trees)
  const after = trees.cpu()
  return {
    requestsPerSecond: load.requests / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    serversMs: (after.serversMs - before.serversMs) / load.requests,
    postgresMs: (after.postgresMs - before.postgresMs) / load.requests,
  }
}

/** Waits until hardly anything is done any more. */
export async function settle(trees: ProcessTrees): Promise<void> {
  const end = performance.now() + settleMsMax
  let used = totalMs(trees)
  for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
    const since = performance.now()
    await sleep(settleSampleMs)
    const now = totalMs(trees)
    quiet = now - used < quietPart * (performance.now() - since) ? quiet + 1 : 0
    used = now
  }
}

const totalMs = (trees: ProcessTrees) => {
  const { serversMs, postgresMs } = trees.cpu()
  return serversMs + postgresMs
}

const nowUs = () => Number(process.hrtime.bigint() / 1000n)

function mediansOf(rounds: Figures[]): Figures {
  const of = (member: keyof Figures) => median(rounds.map((figures) => figures[member]))
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serversMs: of('serversMs'),
    postgresMs: of('postgresMs'),
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const above = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? above : ((sorted[middle - 1] ?? above) + above) / 2
}
