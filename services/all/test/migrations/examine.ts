import type { Migration } from '@figbase/kit'
import type pg from 'pg'
import { breaksOf, factsOf } from './facts.js'
import { watchLocks } from './locks.js'
import { columnsOf, keptOf, lossesOf, rowsOf } from './rows.js'

export type Examined = {
  /** What processes of the version before may depend on, and is not so any more. */
  breaks: string[]
  /** What keeps them waiting. */
  blocks: string[]
}

// One statement each, for PostgreSQL makes a transaction of several. They do not keep writers waiting.
const aloneAllowed =
  /^\s*((create(\s+unique)?|drop)\s+index\s+concurrently|reindex\s+\w+\s+concurrently|alter\s+type\s+\S+\s+add\s+value)\b[^;]*;?\s*$/i

/**
 * Applies a migration to a populated database of the version before, and tells what it does to those who still
 * work with it. In a transaction, unless the migration refuses that, which is left open.
 */
export async function examine(
  client: pg.Client,
  schemas: string[],
  schema: string,
  { sql, inTransaction }: Migration,
): Promise<Examined> {
  const facts = await factsOf(client, schemas)
  const columns = await columnsOf(client, schemas)
  const rows = await rowsOf(client, columns)
  const run = async () => {
    await client.query(`set search_path = ${schema}`)
    await client.query(sql)
  }
  let blocks: string[]
  if (inTransaction === false) {
    blocks = aloneAllowed.test(sql)
      ? []
      : ['outside a transaction it does more than one thing concurrently']
    await run()
  } else {
    await client.query('begin')
    const blocksSoFar = await watchLocks(client, schemas)
    await run()
    blocks = await blocksSoFar()
  }
  const after = await rowsOf(client, keptOf(columns, await columnsOf(client, schemas)))
  const breaks = breaksOf(facts, await factsOf(client, schemas))
  return { breaks: [...breaks, ...lossesOf(rows, after)], blocks }
}

/** What of that stands against it beside processes of that version. */
export function objectionsTo(
  { contract }: Migration,
  { breaks, blocks }: Examined,
  version: string,
): string[] {
  if (contract === undefined) return [...blocks, ...breaks]
  const isLater = contract.localeCompare(version, 'en', { numeric: true }) > 0
  return isLater
    ? [...blocks, `what it breaks is unused since ${contract}, not ${version}`]
    : blocks
}
