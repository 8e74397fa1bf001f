import { table } from '../report.js'
import { mixOf, services, validate } from './capacity.js'
import type { Measured } from './files.js'
import { tableOf } from './page.js'

/** Prints what was measured, the table of the page, and how far the model is from a measured point. */
export function printScaling(measured: Measured): void {
  const { operations, rest } = measured.scaling
  const parts = Object.keys(rest)
  const head = ['CPU ms for each request', ...parts, 'statements', 'S3']
  const rows = operations.map(({ title, used, statements, s3 }) => [
    title,
    ...parts.map((part) => ((used[part]?.ownMs ?? 0) + (used[part]?.childrenMs ?? 0)).toFixed(2)),
    Object.values(statements)
      .reduce((sum, { count }) => sum + count, 0)
      .toFixed(1),
    s3.requests.toFixed(1),
  ])
  console.log(`\n${table([head, ...rows])}`)
  const mix = mixOf(measured.scaling)
  const loops = services.map((name) => `${name} ${mix.used(name, 'loopMs').toFixed(2)}`)
  console.log(`\nmain threads, ms for each request of the mix: ${loops.join(', ')}`)
  const statements = services.map(
    (name) => `${name} ${mix.statements(name).toFixed(2)} (${mix.databaseMs(name).toFixed(2)} ms)`,
  )
  console.log(`statements for each request, and their time: ${statements.join(', ')}`)
  console.log(`\n${tableOf(measured.scaling)}\n`)
  const { predicted, measured: found, deviation } = validate(measured)
  console.log(
    `full load on this machine: the model says ${predicted.toFixed(0)} requests/s, ` +
      `measured ${found.toFixed(0)}: ${(deviation * 100).toFixed(0)} %`,
  )
}
