import { createHash } from 'node:crypto'
import { type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'

const marker = '/* prepared */'
const names = new Map<string, string>()

/**
 * Begins a statement whose plan each connection keeps: for what runs often and takes longer to plan
 * than to run. Its text must not vary, and its columns must be named: `select *` would fail on open
 * connections once a migration adds a column.
 */
export const prepared = sql.raw(marker)

/** A connection as Kysely wants it, which gives the marked statements a name. */
export function preparing(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) =>
    text.startsWith(marker)
      ? client.query({ name: nameOf(text), text, values })
      : client.query(text, values)
  // Kysely passes text alone, unless it was given a cursor to stream with.
  const connection: unknown = { query, release: () => client.release() }
  return connection as PostgresPoolClient
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
