import { open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { urlOf } from '../database.js'
import type { Product } from '../product.js'

/** Statements by service, and how long they took in PostgreSQL. */
export type Statements = Record<string, { count: number; ms: number }>

const settings = { log_min_duration_statement: '0', log_line_prefix: "'%m|%a|'" }
const entry = /^[\d-]+ [\d:.]+ \w+\|figbase ([\w-]+)[^|]*\|LOG: {2}duration: ([\d.]+) ms {2}(\w+)/gm

/** Lets the PostgreSQL of the product log each statement until disposal. */
export async function logStatements(product: Product) {
  const log = await open(join(product.dataDir, 'postgres.log'))
  const client = new pg.Client({ connectionString: urlOf(product, 'postgres') })
  await client.connect()
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter system set ${name} = ${value}`)
  }
  await client.query('select pg_reload_conf()')
  let position = (await log.stat()).size
  return {
    /** Those since the last call. */
    async read(): Promise<Statements> {
      const { size } = await log.stat()
      const { buffer } = await log.read(Buffer.alloc(size - position), 0, size - position, position)
      position = size
      return parse(buffer.toString())
    },
    async [Symbol.asyncDispose]() {
      for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`)
      await client.query('select pg_reload_conf()')
      await client.end()
      await log.close()
    },
  }
}

/** The time is that of all steps of a statement: parse, bind, execute. */
export function parse(log: string): Statements {
  const found: Statements = {}
  for (const [, service = '', ms, step = ''] of log.matchAll(entry)) {
    const one = found[service] ?? { count: 0, ms: 0 }
    one.ms += Number(ms)
    if (step === 'execute' || step === 'statement') one.count++
    found[service] = one
  }
  return found
}
