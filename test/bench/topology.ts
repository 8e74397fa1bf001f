import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startFloor } from './floor/floor.js'
import type { ThumbnailJob, ThumbnailResult } from './load/jobs.js'
import { type Comparison, compare, cpuAtRest, median, type Pace, type Window } from './measure.js'
import { type Memory, measureMemory } from './memory.js'
import {
  commentCount,
  figureCount,
  firstThumbnail,
  makeOperation,
  megabyte,
  revisionCount,
} from './operations.js'
import type { Options, Topology } from './options.js'
import type { Cpu } from './processes.js'
import { type Product, startProduct } from './product.js'
import { printProfiles } from './profile.js'
import { type Seed, seed } from './seed.js'
import { Worker } from './worker.js'

type Span = { p50Ms: number; maxMs: number }
export type Latency = { times: number; published: Span; thumbnail: Span }

export type TopologyReport = {
  topology: Topology
  /** CPU milliseconds per second while idle. */
  cpuAtRest?: Cpu
  comparisons: Comparison[]
  firstThumbnail?: Latency
  firstThumbnailOfOther?: Latency
  memory?: Memory
}

export type Progress = <T>(title: string, work: () => Promise<T>) => Promise<T>

const paces: Record<'quick' | 'full' | 'against', Pace> = {
  quick: { rounds: 2, seconds: 1.5, warmUpSeconds: 2 },
  full: { rounds: 4, seconds: 3, warmUpSeconds: 4 },
  // Differences between two similar products are small, so they need more rounds.
  against: { rounds: 8, seconds: 1.5, warmUpSeconds: 3 },
}
const thumbnailTimes = { quick: 10, full: 40 }
const thumbnailsMsMax = 300_000

/**
 * Measures one topology: first the load, then, with a new product, the memory. Fills the report incrementally, so that a
 * late failure loses no results.
 */
export async function measureTopology(
  report: TopologyReport,
  options: Options,
  scratch: string,
  progress: Progress,
): Promise<void> {
  const { topology } = report
  if (options.operations.length > 0) {
    await measureLoad(report, options, join(scratch, `${topology}-load`), progress)
  }
  if (options.memory) {
    const title = (what: string) => `${topology}: ${what}`
    await using product = await startProduct(topology, join(scratch, `${topology}-memory`))
    await using generator = new Worker('load/generator.js')
    const seeded = await seed(product.url, 1)
    report.memory = await progress(title('memory'), () =>
      measureMemory(product, seeded, generator, options.quick),
    )
  }
}

async function measureLoad(
  report: TopologyReport,
  options: Options,
  dataDir: string,
  progress: Progress,
): Promise<void> {
  const { topology } = report
  const pace = paces[options.quick ? 'quick' : options.against ? 'against' : 'full']
  const profileDir = options.profile && resolve(options.profile, topology)
  if (profileDir) mkdirSync(profileDir, { recursive: true })
  const windows: Window[] = []
  {
    await using own = await startSeeded(topology, options, dataDir, { profileDir })
    const checkout = options.against && resolve(options.against)
    await using other = checkout
      ? await startSeeded(topology, options, `${dataDir}-other`, { checkout })
      : undefined
    await using generator = new Worker('load/generator.js')
    await using floor = await startFloor(
      own.product,
      { figureCount, ...crowdsOf(options) },
      own.seeded,
    )
    const atRest = await cpuAtRest(own.product.trees)
    report.cpuAtRest = atRest
    const otherMeasured = other && {
      product: other.product,
      atRest: await cpuAtRest(other.product.trees),
    }
    const parties = { product: own.product, atRest, floor, generator, other: otherMeasured }
    for (const name of options.operations) {
      const operation = makeOperation(name, own.seeded, floor)
      if (!operation) continue
      const ofOther = other && makeOperation(name, other.seeded, floor)?.product
      const work = () => compare(operation, parties, pace, windows, ofOther)
      report.comparisons.push(await progress(`${topology}: ${operation.title}`, work))
    }
    if (options.operations.includes(firstThumbnail)) {
      const times = options.quick ? thumbnailTimes.quick : thumbnailTimes.full
      const measure = ({ product, seeded }: Seeded) =>
        progress(`${topology}: the first thumbnail of 1 MB`, () =>
          measureThumbnails(product, seeded, generator, times),
        )
      report.firstThumbnail = await measure(own)
      if (other) report.firstThumbnailOfOther = await measure(other)
    }
  }
  // A process writes its profile when it exits.
  if (profileDir) printProfiles(profileDir, windows)
}

type Seeded = { product: Product; seeded: Seed }

async function startSeeded(
  topology: Topology,
  options: Options,
  dataDir: string,
  how: { profileDir?: string | undefined; checkout?: string },
): Promise<Seeded & AsyncDisposable> {
  const product = await startProduct(topology, dataDir, how)
  const stop = () => product[Symbol.asyncDispose]()
  try {
    const seeded = await seed(product.url, figureCount, crowdsOf(options))
    return { product, seeded, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function crowdsOf({ operations }: Options) {
  const countFor = (name: string, count: number) => (operations.includes(name) ? count : 0)
  return {
    revisions: countFor('revisions', revisionCount),
    comments: countFor('comments', commentCount),
  }
}

async function measureThumbnails(
  { url }: Product,
  seeded: Seed,
  generator: Worker,
  times: number,
): Promise<Latency> {
  const job: ThumbnailJob = { kind: 'thumbnail', origin: url, target: megabyte(seeded), times }
  const warmUp = { ...job, times: 3 }
  await generator.ask<ThumbnailResult>(warmUp, thumbnailsMsMax)
  const result = await generator.ask<ThumbnailResult>(job, thumbnailsMsMax)
  return { times, published: spanOf(result.publishedMs), thumbnail: spanOf(result.thumbnailMs) }
}

const spanOf = (values: number[]): Span => ({
  p50Ms: median(values),
  maxMs: Math.max(...values),
})
