import { table } from '../report.js'
import type { SearchSpeedReport } from './search-speed.js'

/** Prints how fast searches and indexing are, and what they take. */
export function printSearchSpeed(report: SearchSpeedReport): void {
  const { objects, revisions, searches, engine, reindex, memory, sizes, lag } = report
  console.log(`${objects} objects, ${revisions} of them figure revisions with vectors and pictures`)
  const head = ['end to end', 'p50 ms', 'p95 ms', 'longest', 'CPU ms: servers', 'PostgreSQL']
  const rows = Object.entries(searches).map(([kind, latency]) => {
    const { p50Ms, p95Ms, maxMs, serversMs, postgresMs } = latency
    return [kind, ...[p50Ms, p95Ms, maxMs, serversMs, postgresMs].map((ms) => ms.toFixed(1))]
  })
  console.log(`\n${table([head, ...rows])}`)
  const engineRows = Object.entries({ 'all words': engine.all, 'plain statement': engine.plain })
  console.log(
    `\n${table([
      ['the engine by itself', 'p50 ms', 'p95 ms', 'longest', 'CPU ms: process', 'PostgreSQL'],
      ...engineRows.map(([name, { p50Ms, p95Ms, maxMs, serverMs, postgresMs }]) => [
        name,
        ...[p50Ms, p95Ms, maxMs, serverMs, postgresMs].map((ms) => ms.toFixed(1)),
      ]),
    ])}`,
  )
  console.log(
    `CPU time of all words / plain: ${engine.ratio.toFixed(2)}, of PostgreSQL alone ${engine.postgresRatio.toFixed(2)}`,
  )
  console.log(
    `\nlag at ${lag.perSecond} writes/s, ${lag.writes} writes: p50 ${lag.p50Ms.toFixed(0)} ms, ` +
      `p95 ${lag.p95Ms.toFixed(0)} ms, p99 ${lag.p99Ms.toFixed(0)} ms, longest ${lag.maxMs.toFixed(0)} ms`,
  )
  console.log(
    `reindex: ${reindex.objects} objects in ${reindex.seconds.toFixed(1)} s, ${reindex.perSecond.toFixed(0)}/s`,
  )
  console.log(
    `first search by meaning, with all vectors and pictures read: ${report.loadSeconds.toFixed(1)} s`,
  )
  for (const { part, bytes } of sizes)
    console.log(`tables with their indexes, ${part}: ${megabytes(bytes)}`)
  for (const [when, processes] of Object.entries(memory)) {
    const list = processes.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`)
    console.log(`memory ${when} these searches: ${list.join(', ')}`)
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
