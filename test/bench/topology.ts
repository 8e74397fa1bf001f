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
  /** CPU milliseconds a second when nobody asks for anything. */
  cpuAtRest?: Cpu
  comparisons: Comparison[]
  firstThumbnail?: Latency
  memory?: Memory
}

export type Progress = <T>(title: string, work: () => Promise<T>) => Promise<T>

const paces: Record<'quick' | 'full', Pace> = {
  quick: { rounds: 2, seconds: 1.5, warmUpSeconds: 2 },
  full: { rounds: 4, seconds: 3, warmUpSeconds: 4 },
}
const thumbnailTimes = { quick: 10, full: 40 }
const thumbnailsMsMax = 300_000

/** Everything about one topology: first the load, then, on a fresh product, the memory. */
export async function measureTopology(
  topology: Topology,
  options: Options,
  scratch: string,
  progress: Progress,
): Promise<TopologyReport> {
  const report: TopologyReport = { topology, comparisons: [] }
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
  return report
}

async function measureLoad(
  report: TopologyReport,
  options: Options,
  dataDir: string,
  progress: Progress,
): Promise<void> {
  const { topology } = report
  const pace = options.quick ? paces.quick : paces.full
  const profileDir = options.profile && resolve(options.profile, topology)
  if (profileDir) mkdirSync(profileDir, { recursive: true })
  const windows: Window[] = []
  {
    await using product = await startProduct(topology, dataDir, profileDir)
    await using generator = new Worker('load/generator.js')
    const countFor = (name: string, count: number) =>
      options.operations.includes(name) ? count : 0
    const crowds = {
      revisions: countFor('revisions', revisionCount),
      comments: countFor('comments', commentCount),
    }
    const seeded = await seed(product.url, figureCount, crowds)
    await using floor = await startFloor(product, { figureCount, ...crowds }, seeded)
    const atRest = await cpuAtRest(product.trees)
    report.cpuAtRest = atRest
    const parties = { product, floor, generator, atRest }
    for (const name of options.operations) {
      const operation = makeOperation(name, seeded, floor)
      if (!operation) continue
      const work = () => compare(operation, parties, pace, windows)
      report.comparisons.push(await progress(`${topology}: ${operation.title}`, work))
    }
    if (options.operations.includes(firstThumbnail)) {
      const times = options.quick ? thumbnailTimes.quick : thumbnailTimes.full
      report.firstThumbnail = await progress(`${topology}: the first thumbnail of 1 MB`, () =>
        measureThumbnails(product, seeded, generator, times),
      )
    }
  }
  // A process writes its profile when it ends.
  if (profileDir) printProfiles(profileDir, windows)
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
