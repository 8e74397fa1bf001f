import type { Measured } from './files.js'
import type { OperationCost, ScalingReport } from './measure-scaling.js'
import type { Used } from './parts.js'
import { saturation, stretch, utilization } from './queues.js'

/** The load of the page, and how full a part may be: the target of `autoscaling.cpuPercent`. */
export const load = { perSecond: 10, factors: [10, 100], full: 0.7 }
/** Between a service and PostgreSQL: a connection is busy for this time with each statement, too. */
const roundTripMs = 0.5

/** What does the work of a part: several of it share the work. */
export type Station = {
  part: string
  unit: 'replica' | 'core'
  /** Work for each request of the mix. */
  demandMs: number
  /** Work in each second without requests, of each unit. */
  restMs: number
  /** What of the work one unit does at the same time. */
  servers: number
  /** Whether requests do not wait for it. */
  isBackground: boolean
  /** CPU of the part for each request, for its cost. */
  cpuMs: number
}

export const services = [
  'gateway',
  'identity',
  'catalog',
  'revisions',
  'comments',
  'stories-ai',
  'search',
  'tasks',
  'compute',
]

/** Work of child processes, by the service that starts them, and how many of them work at the same time by default. */
export const childProcesses: Record<string, { part: string; servers: number }> = {
  revisions: { part: 'drawings', servers: 1 },
  search: { part: 'models', servers: 1 },
}

export type Mix = ReturnType<typeof mixOf>

/** The means over the requests of the mix. */
export function mixOf({ operations }: Pick<ScalingReport, 'operations'>) {
  const total = operations.reduce((sum, { share }) => sum + share, 0)
  const mean = (of: (one: OperationCost) => number) =>
    operations.reduce((sum, one) => sum + (one.share / total) * of(one), 0)
  return {
    used: (part: string, key: keyof Used) => mean(({ used }) => used[part]?.[key] ?? 0),
    statements: (service: string) => mean(({ statements }) => statements[service]?.count ?? 0),
    databaseMs: (service: string) => mean(({ statements }) => statements[service]?.ms ?? 0),
    s3: (key: 'requests' | 'bytesIn' | 'bytesOut') => mean(({ s3 }) => s3[key]),
  }
}

/** The queues of a deployment. An event loop is one server, because it does one thing at a time. */
export function stationsOf(report: ScalingReport): Station[] {
  const mix = mixOf(report)
  const eventLoops = services.map(
    (part): Station => ({
      part,
      unit: 'replica',
      demandMs: mix.used(part, 'loopMs'),
      restMs: report.rest[part]?.loopMs ?? 0,
      servers: 1,
      isBackground: false,
      cpuMs: mix.used(part, 'ownMs'),
    }),
  )
  const children = Object.entries(childProcesses).map(([service, { part, servers }]): Station => {
    const demandMs = mix.used(service, 'childrenMs')
    const work = { demandMs, restMs: report.rest[service]?.childrenMs ?? 0, cpuMs: demandMs }
    return { part, unit: 'replica', servers, isBackground: true, ...work }
  })
  const servers = ['PostgreSQL', 'NATS', 'Redis'].map((part): Station => {
    const demandMs = mix.used(part, 'ownMs') + mix.used(part, 'childrenMs')
    const rest = report.rest[part]
    const restMs = (rest?.ownMs ?? 0) + (rest?.childrenMs ?? 0)
    const isBackground = part === 'NATS'
    return { part, unit: 'core', demandMs, restMs, servers: 1, isBackground, cpuMs: demandMs }
  })
  return [...eventLoops, ...children, ...servers]
}

/** How busy `units` of a station are at a multiple of the load. */
export const busyAt = (station: Station, factor: number, units = 1): number =>
  utilization(load.perSecond * factor, station.demandMs, station.servers * units) +
  station.restMs / 1000 / station.servers

/** The multiple of the load at which one unit is as full as it may be. */
export const fullAt = ({ demandMs, restMs, servers }: Station): number =>
  (1000 * servers * load.full - restMs) / demandMs / load.perSecond

export const unitsAt = (station: Station, factor: number): number =>
  Math.max(1, Math.ceil(factor / fullAt(station)))

export const coresAt = ({ cpuMs, restMs }: Station, factor: number, units: number): number =>
  utilization(load.perSecond * factor, cpuMs) + (restMs * units) / 1000

/** Connections that processes may open: requests, and two each for jobs, events and probes. */
export const connectionsOf = (replicas: number, requestsMax: number) => replicas * (requestsMax + 6)

/** Connections that are busy at a multiple of the load, by Little's law. */
export const busyConnections = (mix: Mix, service: string, factor: number): number =>
  utilization(
    load.perSecond * factor,
    mix.databaseMs(service) + mix.statements(service) * roundTripMs,
  )

/**
 * The mean time of a request at a multiple of the load, as a multiple of that without load, in a deployment with these
 * units. Each replica has a queue of its own, because calls are spread without a look at the queues; the cores of
 * PostgreSQL share one.
 */
export function stretchAt(stations: Station[], units: number[], factor: number): number {
  let alone = 0
  let loaded = 0
  for (const [at, station] of stations.entries()) {
    if (station.isBackground) continue
    const count = units[at] ?? 1
    const queue = station.unit === 'core' ? count : 1
    alone += station.demandMs
    loaded += station.demandMs * stretch(queue, busyAt(station, factor, count))
  }
  return loaded / alone
}

export type Validation = { predicted: number; measured: number; deviation: number }

/**
 * Compares the model with the mix at full load on the machine of the measurements. There all parts share its cores, so the
 * cores are a station, too, with the work of all parts and of the load generator. What other programs and child processes
 * took of the cores is subtracted: the work of child processes waits, so it does not limit requests.
 */
export function validate({ machine, scaling: report }: Measured): Validation {
  const { saturated, rest } = report
  const mix = mixOf(report)
  const parts = Object.keys(saturated.used).filter((part) => part !== 'benchmark')
  const sum = (of: (part: string) => number) => parts.reduce((total, part) => total + of(part), 0)
  const isService = (part: string) => part in childProcesses
  const demandMs = sum(
    (part) => mix.used(part, 'ownMs') + (isService(part) ? 0 : mix.used(part, 'childrenMs')),
  )
  const takenMs =
    (saturated.used.benchmark?.ownMs ?? 0) +
    sum((part) => (isService(part) ? (saturated.used[part]?.childrenMs ?? 0) : 0))
  const restMs = sum((part) => rest[part]?.ownMs ?? 0)
  const servers =
    machine.cores -
    saturated.othersCores -
    saturated.stolenCores -
    utilization(saturated.requestsPerSecond, takenMs) -
    restMs / 1000
  const predicted = saturation([
    { demandMs, servers },
    ...stationsOf(report).filter(({ unit, isBackground }) => unit === 'replica' && !isBackground),
  ])
  const measured = saturated.requestsPerSecond
  return { predicted, measured, deviation: measured / predicted - 1 }
}
