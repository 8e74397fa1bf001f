import type { Migration } from '@figbase/kit/db'
import type pg from 'pg'
import { breaksOf, factsOf } from './facts.js'
import { watchLocks } from './locks.js'
import { columnsOf, keptOf, lossesOf, rowsOf } from './rows.js'

export type Examined = {
  /** Changes that may break processes of the previous version. */
  breaks: string[]
  /** Locks that make them wait. */
  blocks: string[]
}

// Single statements that do not block writers; PostgreSQL would run several in one transaction.
const aloneAllowed =
  /^\s*((create(\s+unique)?|drop)\s+index\s+concurrently|reindex\s+\w+\s+concurrently|alter\s+type\s+\S+\s+add\s+value)\b[^;]*;?\s*$/i

/**
 * Applies a migration to a populated database of the previous version, and reports its effects on processes of that
 * version. The transaction is left open, unless the migration runs outside one.
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
    await client.query(`set search_path = "${schema}"`)
    await client.query(sql)
  }
  let blocks: string[]
  if (inTransaction === false) {
    blocks = aloneAllowed.test(sql)
      ? []
      : ['outside a transaction only single concurrent statements are allowed']
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

/** Reasons to reject a migration while processes of that version run. */
export function objectionsTo(
  { contract }: Migration,
  { breaks, blocks }: Examined,
  version: string,
): string[] {
  if (contract === undefined) return [...blocks, ...breaks]
  const isLater = contract.localeCompare(version, 'en', { numeric: true }) > 0
  return isLater
    ? [...blocks, `the removed objects are unused since ${contract}, not ${version}`]
    : blocks
}
