import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../services/all/prepare.mjs'

const recorder = new URL('record.mjs', import.meta.url)

/** The environment of processes that record the SQL of the product in a file. */
export const recording = (file) => ({
  FIGBASE_SQL_RECORD: file,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${recorder.href}`,
})

/** Runs tests like `npm test`, and waits for their end; ignores failures. */
export async function runRecorded(file, args) {
  const env = { ...process.env, ...recording(file) }
  const program = join(root, 'test/run.mjs')
  await once(spawn(process.execPath, [program, ...args], { env, stdio: 'inherit' }), 'exit')
}

/** Reads the distinct statements as `{ schema, sql }`. */
export function readStatements(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines)].map((line) => JSON.parse(line))
}

/** Keeps the shortest of statements that differ only in constants and the number of values. */
export function distinct(statements) {
  const shapes = new Map()
  for (const { schema, sql } of statements) {
    const shape = `${schema} ${shapeOf(sql)}`
    const known = shapes.get(shape)
    if (!known || sql.length < known.sql.length) shapes.set(shape, { schema, sql })
  }
  return [...shapes.values()]
}

const shapeOf = (sql) =>
  sql
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\$\d+/g, '$')
    .replace(/\b\d+\b/g, '0')
    .replace(/\$(, \$)+/g, '$')
    .replace(/\(\$\)(, \(\$\))+/g, '($)')
