import { advice } from './advice.js'
import {
  busyConnections,
  connectionsOf,
  coresAt,
  fullAt,
  load,
  type Mix,
  mixOf,
  type Station,
  services,
  stationsOf,
  unitsAt,
  validate,
} from './capacity.js'
import { type Measured, readMemoryRequests } from './files.js'
import type { ScalingReport } from './measure-scaling.js'

type Row = { part: string; full: string; at: string[] }

const gib = 2 ** 30
const daySeconds = 86_400
/** `DATABASE_CONNECTIONS_MAX` by default. */
const connectionsMax = 10

const memoryRequestOf = readMemoryRequests()

const begin = '<!-- scaling: npm run scaling writes this part -->'
const end = '<!-- /scaling -->'

/** The page with the table and the deviation of the model between its markers. */
export function withScaling(page: string, measured: Measured): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the page lacks the markers of the table')
  const part = `${tableOf(measured.scaling)}\n\n${measuredLines(measured)}`
  return `${page.slice(0, from)}${begin}\n${part}\n${page.slice(to)}`
}

function measuredLines(measured: Measured): string {
  const { machine, scaling } = measured
  const { clients, othersCores, stolenCores } = scaling.saturated
  const { predicted, measured: found, deviation } = validate(measured)
  return [
    `Measured on ${machine.date.slice(0, 10)} on a machine of ${machine.cores} cores (${machine.model}), of which other programs used ${short(othersCores + stolenCores)}`,
    `at full load. With ${clients} clients the mix reached ${found.toFixed(0)} requests/s there; the model says ${predicted.toFixed(0)}, a deviation of ${(deviation * 100).toFixed(0)} %.`,
  ].join('\n')
}

/** The table of the page. */
export function tableOf(report: ScalingReport): string {
  const mix = mixOf(report)
  const stations = stationsOf(report)
  const head = ['part', 'one is full at', ...load.factors.map((factor) => `${factor} ×`)]
  const rows = [
    ...stations.map((station) => stationRow(station, report.saturated.growthBytes)),
    connectionsRow(mix, stations),
    storeRow(mix),
  ]
  const lines = rows.map(({ part, full, at }) => {
    const { metric, turn } = advice[part] ?? { metric: '', turn: '' }
    return [titleOf(part), full, ...at, `\`${metric}\``, turn]
  })
  const total = ['**all**', '', ...load.factors.map((one) => costOf(stations, one)), '', '']
  return [[...head, 'seen in', 'turn'], head.concat('', '').map(() => '---'), ...lines, total]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const titles: Record<string, string> = {
  drawings: 'drawings (revisions)',
  models: 'models (search)',
  connections: 'connections to PostgreSQL',
}
export const titleOf = (part: string): string => titles[part] ?? part

function stationRow(station: Station, growthBytes: Record<string, number>): Row {
  const full = fullAt(station)
  return {
    part: station.part,
    full: full > 1000 ? '> 1000 ×' : `${short(full)} ×`,
    at: load.factors.map((factor) => {
      const units = unitsAt(station, factor)
      const cores = short(coresAt(station, factor, units))
      if (station.unit === 'core') {
        const growth = growthBytes[station.part]
        const disk = growth === undefined ? '' : `, ${gigabytesADay(factor, growth)}`
        return count(units, 'core') + disk
      }
      const memory = short(memoryOf(station, units) / gib)
      if (station.isBackground) return `${count(units, 'process')}: ${cores} cores`
      return `${count(units, 'replica')}: ${cores} cores, ${memory} GiB`
    }),
  }
}

/** At a constant load. */
const gigabytesADay = (factor: number, bytes: number) =>
  `${short((load.perSecond * factor * bytes * daySeconds) / 1e9)} GB a day`

const memoryOf = ({ part, isBackground }: Station, units: number) =>
  isBackground ? 0 : units * memoryRequestOf(part)

function connectionsRow(mix: Mix, stations: Station[]): Row {
  const busy = (factor: number) =>
    services.reduce((sum, service) => sum + busyConnections(mix, service, factor), 0)
  const perService = Math.max(...services.map((one) => busyConnections(mix, one, 1)))
  return {
    part: 'connections',
    full: `${short((connectionsMax * load.full) / perService)} ×`,
    at: load.factors.map((factor) => {
      const replicas = stations
        .filter(({ part }) => part !== 'gateway' && services.includes(part))
        .reduce((sum, station) => sum + unitsAt(station, factor), 0)
      return `${short(busy(factor))} busy of ${connectionsOf(replicas, connectionsMax)}`
    }),
  }
}

function storeRow(mix: Mix): Row {
  return {
    part: 'S3',
    full: '',
    at: load.factors.map((factor) => {
      const perSecond = load.perSecond * factor
      const megabytes = (perSecond * (mix.s3('bytesIn') + mix.s3('bytesOut'))) / 1e6
      const daily = gigabytesADay(factor, mix.s3('bytesIn'))
      const requests = short(perSecond * mix.s3('requests'))
      return `${requests} requests/s, ${short(megabytes)} MB/s, ${daily}`
    }),
  }
}

/** Cores and memory of all replicas and servers. */
function costOf(stations: Station[], factor: number): string {
  const cores = stations.reduce(
    (sum, station) => sum + coresAt(station, factor, unitsAt(station, factor)),
    0,
  )
  const memory = stations
    .filter(({ unit }) => unit === 'replica')
    .reduce((sum, station) => sum + memoryOf(station, unitsAt(station, factor)), 0)
  return `${short(cores)} cores busy; replicas: ${short(memory / gib)} GiB`
}

/** What is full first, in this order. */
export const inOrder = (stations: Station[]): Station[] =>
  stations.toSorted((one, other) => fullAt(one) - fullAt(other))

const count = (number: number, name: string) =>
  `${number} ${name}${number === 1 ? '' : name.endsWith('s') ? 'es' : 's'}`

/** Two digits. */
export function short(value: number): string {
  if (value >= 100) return String(Math.round(value / 10) * 10)
  if (value >= 10) return String(Math.round(value))
  return value >= 1 ? value.toFixed(1) : value.toFixed(2)
}
