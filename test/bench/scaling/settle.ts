import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { urlOf } from '../database.js'
import type { Product } from '../product.js'
import type { Parts } from './parts.js'

const msMax = 600_000
const sampleMs = 250
const idlePart = 0.15
const samples = 3

/** Waits until the background work that requests caused is done: it belongs to their cost. */
export async function openSettling(product: Product, parts: Parts) {
  const client = new pg.Client({ connectionString: urlOf(product, 'figbase') })
  await client.connect()
  const { rows } = await client.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = 'job'`,
  )
  const tables = [
    'search.change',
    ...rows.map(({ schema }) => `"${schema}".job where state in ('waiting', 'running')`),
  ]
  const counts = tables.map((table) => `(select count(*) from ${table})`)
  const areDone = async () => {
    const { rows } = await client.query<{ isDone: boolean }>(
      `select ${counts.join(' + ')} = 0 as "isDone"`,
    )
    return rows[0]?.isDone === true
  }
  return {
    client,
    async settle() {
      const end = performance.now() + msMax
      let used = parts.totalMs()
      for (let quiet = 0; quiet < samples; ) {
        if (performance.now() > end) throw new Error('the product did not become idle')
        const since = performance.now()
        await sleep(sampleMs)
        const now = parts.totalMs()
        const isIdle = now - used < idlePart * (performance.now() - since)
        quiet = isIdle && (await areDone()) ? quiet + 1 : 0
        used = now
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
