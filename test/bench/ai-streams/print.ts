import { table } from '../report.js'
import type { AiStreamsReport, Lags } from './ai-streams.js'

/** Prints how late tokens arrive, what they cost, and how requests end when their clients leave. */
export function printAiStreams(report: AiStreamsReport): void {
  const { topology, streams, tokens, direct, product, cpu, disconnected, slow } = report
  console.log(
    `\n${topology}: ${streams} concurrent streams of ${tokens} tokens each; none was lost`,
  )
  const row = (title: string, { p50Ms, p99Ms, maxMs }: Lags) => [
    title,
    ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)),
  ]
  console.log(
    table([
      ['after the model sent it', 'p50 ms', 'p99 ms', 'longest'],
      row('first token, from the model itself', direct.first),
      row('later tokens, from the model itself', direct.later),
      row('first token', product.first),
      row('later tokens', product.later),
      row(`first token, beside ${slow.streams} slow clients`, slow.others.first),
      row(`later tokens, beside ${slow.streams} slow clients`, slow.others.later),
    ]),
  )
  console.log(
    `CPU of 1000 tokens: servers ${cpu.serversMs.toFixed(0)} ms, PostgreSQL ${cpu.postgresMs.toFixed(0)} ms`,
  )
  console.log(
    `memory: ${megabytes(report.atRestBytes)} at rest, growth ${megabytes(report.growthBytes)}; ` +
      `with ${slow.streams} slow clients and answers of ${megabytes(slow.bytes)} each ${megabytes(slow.growthBytes)}`,
  )
  console.log(
    `${disconnected.streams} clients left: the last request to the model ended after ${disconnected.maxMs.toFixed(0)} ms`,
  )
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
