import type { EngineFigures, EngineGrowth, EngineReport } from './engine/engine.js'
import type { Growth } from './engine/tables.js'
import type { Hop } from './hops.js'
import type { Comparison, Figures } from './measure.js'
import type { Memory } from './memory.js'
import type { Cpu } from './processes.js'
import type { ReadAtScale, ScaleReport } from './scale/scale.js'
import type { Latency, TopologyReport } from './topology.js'

/** Prints the results of a topology. */
export function printTopology(report: TopologyReport): void {
  if (report.comparisons.length > 0) console.log(`\n${table(comparisonRows(report.comparisons))}`)
  if (report.cpuAtRest) console.log(`\n${restLine(report.cpuAtRest)}`)
  if (report.comparisons.some(({ other }) => other)) {
    console.log(`\n${table(otherRows(report.comparisons))}`)
  }
  if (report.firstThumbnail) console.log(`\n${latencyLine(report.firstThumbnail)}`)
  if (report.firstThumbnailOfOther) {
    console.log(`the other checkout: ${latencyLine(report.firstThumbnailOfOther)}`)
  }
  if (report.memory) console.log(`\n${memoryTable(report.memory)}`)
}

/** Prints the results of events and jobs. */
export function printEngine({ figures, growth }: EngineReport): void {
  console.log(`\n${table(engineRows(figures))}`)
  for (const one of growth) console.log(`\n${table(growthRows(one))}`)
}

/** Prints the results with a hundred times as much data. */
export function printScale({ nodes, reads, publishing, deleteMs }: ScaleReport): void {
  const { small, large } = nodes
  const head = [`p50 / p99 ms`, `${small} nodes`, `${large} nodes`, 'p99 ratio', 'full table scans']
  const ms = ({ p50Ms, p99Ms }: ReadAtScale['small']) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`
  const rows = reads.map((one) => [
    one.title,
    ms(one.small),
    ms(one.large),
    one.ratio.toFixed(2),
    one.wholeReads.join(', ') || 'none',
  ])
  console.log(`\n${table([head, ...rows])}`)
  const { togetherPerSecond, apartPerSecond, ratio } = publishing
  console.log(
    `eight clients publish ${togetherPerSecond.toFixed(0)}/s into one workspace, ` +
      `${apartPerSecond.toFixed(0)}/s into eight: ${ratio.toFixed(2)}`,
  )
  console.log(`deleting the workspace of ${large} nodes took ${deleteMs.toFixed(0)} ms`)
}

/** Prints the cost of each process between client and database. */
export function printHops(hops: Hop[]): void {
  const head = ['p50 ms, one after the other', 'nothing', 'read', 'write']
  const [first] = hops
  const cell = (ms: number, of = ms) => `${ms.toFixed(2)} (${(ms / of).toFixed(2)})`
  const rows = hops.map(({ title, nothingMs, readMs, writeMs }) => [
    title,
    cell(nothingMs, first?.nothingMs),
    cell(readMs, first?.readMs),
    cell(writeMs, first?.writeMs),
  ])
  console.log(`\n${table([head, ...rows])}`)
}

function engineRows(figures: EngineFigures[]): string[][] {
  const flood = ['at full load', 'per second', 'CPU ms', 'PostgreSQL', 'CPU ratio']
  const rows = figures.map((one) => [
    one.title,
    one.perSecond.toFixed(0),
    (one.serversMs + one.postgresMs).toFixed(2),
    one.postgresMs.toFixed(2),
    one.ratio.toFixed(1),
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    one.pacedMs.toFixed(1),
  ])
  return [[...flood, 'at 20/s: p50 ms', 'p99 ms', 'CPU ms'], ...rows]
}

function growthRows({ part, count, waiting, kept }: EngineGrowth): string[][] {
  const rowOf = ({ table, endBytes, peakBytes }: Growth) => [
    table,
    hundredths(endBytes),
    hundredths(peakBytes),
  ]
  return [
    [`${count} ${part}: tables, with indexes`, 'at the end', 'at their peak', 'bytes each'],
    ...waiting.map((one) => [...rowOf(one), 'queue']),
    ...kept.map((one) => [...rowOf(one), (one.endBytes / count).toFixed(0)]),
  ]
}

const hundredths = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`

// The figure of the product, then that of the floor.
function comparisonRows(comparisons: Comparison[]): string[][] {
  const head = ['operation', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'PostgreSQL', 'CPU ratio']
  const rows = comparisons.map(({ title, product, floor, ratio, ratioWithoutPostgres }) => {
    const both = (of: (figures: Comparison['product']) => string) => `${of(product)} / ${of(floor)}`
    return [
      title,
      both(({ requestsPerSecond }) => requestsPerSecond.toFixed(0)),
      both(({ p50Ms }) => p50Ms.toFixed(1)),
      both(({ p99Ms }) => p99Ms.toFixed(1)),
      both(({ serversMs, postgresMs }) => (serversMs + postgresMs).toFixed(2)),
      both(({ postgresMs }) => postgresMs.toFixed(2)),
      ratio.toFixed(1),
      ratioWithoutPostgres.toFixed(1),
    ]
  })
  return [[...head, 'without PostgreSQL'], ...rows]
}

// The figure of this product, then that of the other.
function otherRows(comparisons: Comparison[]): string[][] {
  const rows = comparisons.flatMap(({ title, product, other }) => {
    if (!other) return []
    const both = (of: (figures: Figures) => number) =>
      `${of(product).toFixed(2)} / ${of(other.figures).toFixed(2)}`
    return [
      [
        title,
        both(({ serversMs, postgresMs }) => serversMs + postgresMs),
        both(({ postgresMs }) => postgresMs),
        other.ratio.toFixed(2),
      ],
    ]
  })
  return [['against the other checkout', 'CPU ms', 'PostgreSQL', 'CPU ratio'], ...rows]
}

const restLine = ({ serversMs, postgresMs }: Cpu) =>
  `idle CPU, not counted above: ${serversMs.toFixed(0)} ms per second, ` +
  `PostgreSQL ${postgresMs.toFixed(0)}`

const latencyLine = ({ published, thumbnail, times }: Latency) =>
  `publish a 1 MB PNG and read its first thumbnail, ${times} times in sequence:\n` +
  `published after ${span(published)}, thumbnail after ${span(thumbnail)}`

const span = ({ p50Ms, maxMs }: { p50Ms: number; maxMs: number }) =>
  `${p50Ms.toFixed(1)} ms (at most ${maxMs.toFixed(1)})`

function memoryTable({ atRestBytes, transfers }: Memory): string {
  const head = ['memory', 'MB/s', 'peak', 'growth']
  const rows = transfers.map(({ title, megabytesPerSecond, peakBytes, growthBytes }) => [
    title,
    megabytesPerSecond.toFixed(0),
    megabytes(peakBytes),
    megabytes(growthBytes),
  ])
  return table([head, ['idle', '', megabytes(atRestBytes), ''], ...rows])
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/** Formats a table; the first column is left-aligned, the others are right-aligned. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? ''
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  '),
    )
    .join('\n')
}
