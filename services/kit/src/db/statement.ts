import { createHash } from 'node:crypto'
import { CompiledQuery, type PostgresPoolClient, type QueryResult } from 'kysely'
import type pg from 'pg'

export const marker = '-- prepared\n'
const names = new Map<string, string>()

/** A database or a transaction. */
export type Executor = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/** Runs a statement on a database or in a transaction, with its values in the order of $1, $2, … */
export type Statement<Row> = (db: Executor, ...values: unknown[]) => Promise<Row[]>

/**
 * A statement with a fixed text: no SQL is built when it runs, and each connection keeps its plan.
 * For all that runs often. Its columns must be named: `select *` would fail on open connections once
 * a migration adds a column.
 */
export function statement<Row>(text: string): Statement<Row> {
  const marked = marker + text
  return async (db, ...values) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(marked, values) as CompiledQuery<Row>)).rows
}

/** A connection as Kysely wants it, which gives the statements of `statement` a name. */
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
