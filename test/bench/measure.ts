import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Floor } from './floor/floor.js'
import type { LoadJob, LoadResult, Target } from './load/jobs.js'
import type { Operation } from './operations.js'
import type { Cpu, ProcessTrees } from './processes.js'
import type { Product } from './product.js'
import type { Worker } from './worker.js'

/** Medians of all rounds; CPU time in milliseconds per request. */
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
  /** The CPU time per request of the product, divided by that of the floor. */
  ratio: number
  ratioWithoutPostgres: number
  /** The product of the other checkout, and the ratio of the CPU times of this one and that one. */
  other?: { figures: Figures; ratio: number }
}
/** A product, and its CPU milliseconds per second while idle. */
export type Measured = { product: Product; atRest: Cpu }
export type Parties = Measured & {
  floor: Floor
  generator: Worker
  other?: Measured | undefined
}
export type Pace = { rounds: number; seconds: number; warmUpSeconds: number }

/** A period of load, on the clock that profiles use. */
export type Window = { fromUs: number; toUs: number }

const answerMsMax = 120_000
const restSeconds = 5
const settleMsMax = 60_000
const settleSampleMs = 250
const quietPart = 0.1

/**
 * Alternates between the product, the floor and the other product, so that other load on the machine affects all of
 * them. `ofOther`: the target for the other product.
 */
export async function compare(
  operation: Operation,
  { product, atRest, floor, generator, other }: Parties,
  pace: Pace,
  windows: Window[],
  ofOther: Target = operation.product,
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
  const driveOther = ({ product, atRest }: Measured, seconds: number) =>
    turn(generator, product.trees, atRest, load(product.url, ofOther, seconds))
  // During the load on the floor, the idle product still uses the same PostgreSQL.
  const floorAtRest = { serversMs: 0, postgresMs: atRest.postgresMs }
  const driveFloor = (seconds: number) =>
    turn(generator, floor.trees, floorAtRest, load(floor.url, operation.floor, seconds))
  await driveProduct(pace.warmUpSeconds)
  await driveFloor(pace.warmUpSeconds)
  if (other) await driveOther(other, pace.warmUpSeconds)
  const ofProduct: Figures[] = []
  const ofFloor: Figures[] = []
  const others: Figures[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const isOtherFirst = round % 2 === 1
    if (other && isOtherFirst) others.push(await driveOther(other, pace.seconds))
    const fromUs = nowUs()
    ofProduct.push(await driveProduct(pace.seconds))
    windows.push({ fromUs, toUs: nowUs() })
    if (other && !isOtherFirst) others.push(await driveOther(other, pace.seconds))
    ofFloor.push(await driveFloor(pace.seconds))
  }
  const ratioTo = (these: Figures[], cpuOf: (figures: Figures) => number) =>
    median(ofProduct.map((figures, round) => cpuOf(figures) / cpuOf(these[round] ?? figures)))
  const all = ({ serversMs, postgresMs }: Figures) => serversMs + postgresMs
  return {
    name,
    title,
    product: mediansOf(ofProduct),
    floor: mediansOf(ofFloor),
    ratio: ratioTo(ofFloor, all),
    ratioWithoutPostgres: ratioTo(ofFloor, ({ serversMs }) => serversMs),
    ...(other && { other: { figures: mediansOf(others), ratio: ratioTo(others, all) } }),
  }
}

// Background work that a request causes (thumbnails, folding of sizes) counts; idle activity of the product and
// PostgreSQL does not.
async function turn(
  generator: Worker,
  trees: ProcessTrees,
  atRest: Cpu,
  job: LoadJob,
): Promise<Figures> {
  // A file sync would otherwise include data left unwritten by others.
  await promisify(execFile)('sync')
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

/** CPU milliseconds per second while idle. */
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

/** Waits until the processes are almost idle. */
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
