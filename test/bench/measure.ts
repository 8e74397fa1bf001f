import { setTimeout as sleep } from 'node:timers/promises'
import type { Floor } from './floor/floor.js'
import type { LoadJob, LoadResult, Target } from './load/jobs.js'
import type { Operation } from './operations.js'
import type { Cpu, ProcessTrees } from './processes.js'
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
export type Parties = {
  product: Product
  floor: Floor
  generator: Worker
  /** CPU milliseconds a second when nobody asks for anything. */
  atRest: Cpu
}
export type Pace = { rounds: number; seconds: number; warmUpSeconds: number }

/** When the product was under load, on the clock that profiles use. */
export type Window = { fromUs: number; toUs: number }

const answerMsMax = 120_000
const restSeconds = 5
const settleMsMax = 60_000
const settleSampleMs = 250
const quietPart = 0.1

/** Drives both in turn, again and again, so that what disturbs one disturbs the other. */
export async function compare(
  operation: Operation,
  { product, floor, generator, atRest }: Parties,
  pace: Pace,
  windows: Window[],
): Promise<Comparison> {
  const { name, title, concurrency } = operation
  const load = (origin: string, target: Target, seconds: number): LoadJob => ({
    kind: 'load',
    origin,
    target,
    concurrency,
    seconds,
  })
  const driveProduct = (seconds: number) =>
    turn(generator, product.trees, atRest, load(product.url, operation.product, seconds))
  // While the floor is driven, the product rests on the same PostgreSQL.
  const floorAtRest = { serversMs: 0, postgresMs: atRest.postgresMs }
  const driveFloor = (seconds: number) =>
    turn(generator, floor.trees, floorAtRest, load(floor.url, operation.floor, seconds))
  await driveProduct(pace.warmUpSeconds)
  await driveFloor(pace.warmUpSeconds)
  const ofProduct: Figures[] = []
  const ofFloor: Figures[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const fromUs = nowUs()
    ofProduct.push(await driveProduct(pace.seconds))
    windows.push({ fromUs, toUs: nowUs() })
    ofFloor.push(await driveFloor(pace.seconds))
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

// What a request leaves to be done later (a thumbnail, the folding of sizes) is its cost as well;
// what the product and PostgreSQL do anyway is not.
async function turn(
  generator: Worker,
  trees: ProcessTrees,
  atRest: Cpu,
  job: LoadJob,
): Promise<Figures> {
  const before = trees.cpu()
  const start = performance.now()
  const load = await generator.ask<LoadResult>(job, job.seconds * 1000 + answerMsMax)
  await settle(trees)
  const seconds = (performance.now() - start) / 1000
  const after = trees.cpu()
  const used = (of: keyof Cpu, restMs: number) =>
    Math.max(0, after[of] - before[of] - restMs * seconds) / load.requests
  return {
    requestsPerSecond: load.requests / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    serversMs: used('serversMs', atRest.serversMs),
    postgresMs: used('postgresMs', atRest.postgresMs),
  }
}

/** CPU milliseconds a second while nothing is asked. */
export async function cpuAtRest(trees: ProcessTrees): Promise<Cpu> {
  await settle(trees)
  const before = trees.cpu()
  await sleep(restSeconds * 1000)
  const after = trees.cpu()
  return {
    serversMs: (after.serversMs - before.serversMs) / restSeconds,
    postgresMs: (after.postgresMs - before.postgresMs) / restSeconds,
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
