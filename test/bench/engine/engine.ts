import { join } from 'node:path'
import { createDatabase } from '../database.js'
import { cpuAtRest, median, settle } from '../measure.js'
import { type Cpu, ProcessTrees } from '../processes.js'
import { type Product, startProduct } from '../product.js'
import type { Progress } from '../topology.js'
import { Worker } from '../worker.js'
import type { Flood, FloodResult, FloorFlood, Pace, PaceResult, Part, Start } from './messages.js'
import { hasNats, startNats } from './nats.js'
import { type Growth, growthWhile } from './tables.js'

/** The cost of one event or job; CPU time in milliseconds, including the transaction that creates it. */
export type EngineFigures = {
  title: string
  /** At full load, from the first transaction to the last effect. */
  perSecond: number
  serversMs: number
  postgresMs: number
  /** CPU time divided by that of a transaction that inserts one row. */
  ratio: number
  /** At a low rate. */
  p50Ms: number
  p99Ms: number
  pacedMs: number
}
export type EngineGrowth = {
  part: Part
  count: number
  /** Tables with rows that are deleted at once. */
  waiting: Growth[]
  /** Tables with rows that are kept for days. */
  kept: Growth[]
}
export type EngineReport = { figures: EngineFigures[]; growth: EngineGrowth[] }

export const engineParts: Part[] = ['events', 'jobs']

type Size = { count: number; rounds: number; paceSeconds: number; growthCount: number }

const sizes: Record<'quick' | 'full', Size> = {
  quick: { count: 1000, rounds: 2, paceSeconds: 5, growthCount: 10_000 },
  full: { count: 3000, rounds: 3, paceSeconds: 15, growthCount: 200_000 },
}
const answerMsMax = 600_000
const perSecond = 20
const warmUpCount = 500
const consumersOfFigures = 4
// For the growth of tables: the maximum queue length, and the number of events or jobs per transaction.
const steady = { waitingMax: 500, together: 10 }
// More than the default; otherwise it would take a quarter of an hour.
const placesOfGrowth = 10

// The queues must not grow with the number; the kept rows are dropped by day.
const tablesOf: Record<Part, { waiting: string[]; kept: string[] }> = {
  events: { waiting: ['outbox', 'delivery', 'parked'], kept: ['outbox_sent', 'inbox'] },
  jobs: { waiting: ['job', 'job_worker', 'job_schedule'], kept: [] },
}

/** Measures events and jobs end to end, in a service of the benchmark with the PostgreSQL of the product. */
export async function measureEngine(
  parts: Part[],
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<EngineReport> {
  const size = quick ? sizes.quick : sizes.full
  const report: EngineReport = { figures: [], growth: [] }
  await using product = await startProduct('all-in-one', join(scratch, 'engine'))
  const measure = async (title: string, part: Part, nats?: { url: string; pid: number }) => {
    const natsUrl = nats?.url ?? ''
    const start: Start = {
      kind: 'start',
      part,
      databaseUrl: '',
      natsUrl,
      consumers: consumersOfFigures,
    }
    report.figures.push(
      await progress(title, () => measureFigures(title, product, start, size, nats?.pid)),
    )
  }
  if (parts.includes('events')) {
    await measure('events', 'events')
    if (hasNats()) {
      await using nats = await startNats(join(scratch, 'nats'))
      await measure('events over NATS', 'events', nats)
    }
  }
  if (parts.includes('jobs')) await measure('jobs', 'jobs')
  for (const part of parts) {
    const title = `the tables of ${size.growthCount} ${part}`
    const work = () => measureGrowth(product, part, size.growthCount)
    report.growth.push(await progress(title, work))
  }
  return report
}

async function measureFigures(
  title: string,
  product: Product,
  start: Start,
  { count, rounds, paceSeconds }: Size,
  natsPid: number | undefined,
): Promise<EngineFigures> {
  await using worker = new Worker('engine/process.js')
  const name = title.toLowerCase().replaceAll(' ', '_')
  const databaseUrl = await createDatabase(product, name)
  await worker.ask({ ...start, databaseUrl }, answerMsMax)
  const trees = new ProcessTrees(worker.pid, product.trees.postgres, natsPid)
  const flood = (n: number): Flood => ({ kind: 'flood', count: n, together: 1, waitingMax: n })
  const floorFlood: FloorFlood = { kind: 'floor', count }
  await worker.ask<FloodResult>(flood(warmUpCount), answerMsMax)
  await worker.ask<FloodResult>({ ...floorFlood, count: warmUpCount }, answerMsMax)
  const atRest = await cpuAtRest(trees)
  const floods: (FloodResult & Cpu)[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const ask =
      <T>(question: object) =>
      () =>
        worker.ask<T>(question, answerMsMax)
    const ours = await cpuEach(trees, atRest, count, ask<FloodResult>(flood(count)))
    const floor = await cpuEach(trees, atRest, count, ask<FloodResult>(floorFlood))
    floods.push(ours)
    ratios.push((ours.serversMs + ours.postgresMs) / (floor.serversMs + floor.postgresMs))
  }
  const pace: Pace = { kind: 'pace', perSecond, seconds: paceSeconds }
  const paced = await cpuEach(trees, atRest, perSecond * paceSeconds, () =>
    worker.ask<PaceResult>(pace, answerMsMax),
  )
  const { p50Ms, p99Ms } = paced
  return {
    title,
    perSecond: median(floods.map(({ seconds }) => count / seconds)),
    serversMs: median(floods.map(({ serversMs }) => serversMs)),
    postgresMs: median(floods.map(({ postgresMs }) => postgresMs)),
    ratio: median(ratios),
    p50Ms,
    p99Ms,
    pacedMs: paced.serversMs + paced.postgresMs,
  }
}

/** The result of `work`, and its CPU time divided by `count`. */
async function cpuEach<T>(
  trees: ProcessTrees,
  atRest: Cpu,
  count: number,
  work: () => Promise<T>,
): Promise<T & Cpu> {
  const before = trees.cpu()
  const begin = performance.now()
  const result = await work()
  await settle(trees)
  const seconds = (performance.now() - begin) / 1000
  const after = trees.cpu()
  const each = (of: keyof Cpu) => Math.max(0, after[of] - before[of] - atRest[of] * seconds) / count
  return { ...result, serversMs: each('serversMs'), postgresMs: each('postgresMs') }
}

/** Measures the growth of tables, with one consumer and a short queue, so that the tables contain mostly kept rows. */
async function measureGrowth(product: Product, part: Part, count: number): Promise<EngineGrowth> {
  await using worker = new Worker('engine/process.js')
  const databaseUrl = await createDatabase(product, `growth_${part}`)
  const places = placesOfGrowth
  const start: Start = { kind: 'start', part, databaseUrl, natsUrl: '', consumers: 1, places }
  await worker.ask(start, answerMsMax)
  const { waiting, kept } = tablesOf[part]
  const flood: Flood = { kind: 'flood', count, ...steady }
  const tables = await growthWhile(databaseUrl, [...waiting, ...kept], () =>
    worker.ask(flood, answerMsMax),
  )
  const of = (names: string[]) => tables.filter(({ table }) => names.includes(table))
  return { part, count, waiting: of(waiting), kept: of(kept) }
}
