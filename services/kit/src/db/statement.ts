import { createHash } from 'node:crypto'
import { CompiledQuery, type PostgresPoolClient, type QueryResult } from 'kysely'
import type pg from 'pg'
import { currentScope, currentTraceparent, ending } from '../scope/scope.js'
import { beginStatement } from '../tracing/sql.js'
import { isServerUnavailable } from './pg-errors.js'
import { poolOf } from './pool-of.js'

export const marker = '-- prepared\n'
/** Prepared statement names by text. */
const preparedNames = new Map<string, string>()
/** Names of the values in the order of their numbers, by text. */
const valueNames = new Map<string, string[]>()

/** A database or a transaction. */
export type Executor = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/** Runs a statement on a database or in a transaction, with the values of $1, $2, … in order. */
export type Statement<Row> = (db: Executor, ...values: unknown[]) => Promise<Row[]>

/** Runs a statement on a database or in a transaction, with values by name. */
export type NamedStatement<Row, Values extends object> = (
  db: Executor,
  values: Values,
) => Promise<Row[]>

/**
 * A statement with a fixed text, for everything that runs often: no SQL is built when it runs, and each
 * connection caches its plan. Columns must be named: `select *` would fail on open connections once a
 * migration adds a column.
 *
 * Values are named, `:revisionId`, and passed as one object; undefined is null. Up to three may be numbered
 * instead, `$1`, and passed in order. `$request_id` and `$traceparent` stand for the current request and trace,
 * null without one.
 */
export function statement<Row>(text: string): Statement<Row>
export function statement<Row, Values extends object>(text: string): NamedStatement<Row, Values>
export function statement<Row>(text: string): Statement<Row> {
  const { named, names } = withNames(text)
  const { numbered, contextValues } = withContextValues(named)
  const marked = marker + numbered
  preparedNames.set(marked, createHash('sha256').update(marked).digest('base64url'))
  valueNames.set(marked, names)
  return async (db, ...given) => {
    const values = names.length > 0 ? valuesOf(names, given[0] as object) : given
    for (const origin of contextValues) values.push(origin() ?? null)
    const pool = poolOf(db)
    if (pool) return runOn<Row>(pool, marked, values)
    const query = CompiledQuery.raw(marked, values) as CompiledQuery<Row>
    return (await db.executeQuery<Row>(query)).rows
  }
}

/** The driver's config of a prepared statement. */
const prepared = (text: string, values: unknown[]) => ({
  name: preparedNames.get(text),
  text,
  values,
})

/**
 * Bypasses Kysely outside of transactions, because its promises cost as much as the query. A connection on which
 * the server did not respond is not reused: the response may still arrive.
 */
function runOn<Row>(pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
  const span = beginStatement(text)
  const run = new Promise<Row[]>((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (failure || !client) return reject(failure)
      client.query(prepared(text, values), (error: Error | null, result) => {
        release(error && isServerUnavailable(error) ? error : undefined)
        if (error) reject(error)
        else resolve(result.rows)
      })
    })
  })
  return span ? ending(span, run) : run
}

/** Literals and comments, which may contain colons, or a name. `::text` and the slice `lineage[:last]` are no names. */
const namePattern = /'[^']*'|"[^"]*"|--[^\n]*|(?<![:\w]|(?<!\barray)\[):([a-z]\w*)/gi

/** Replaces names by numbers, in the order of their first use. */
function withNames(text: string) {
  const names: string[] = []
  const named = text.replaceAll(namePattern, (found, name: string | undefined) => {
    if (name === undefined) return found
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  if (names.length > 0 && /\$\d/.test(text)) {
    throw new Error(`a statement must not mix named and numbered values: ${text}`)
  }
  return { named, names }
}

function valuesOf(names: string[], values: object): unknown[] {
  return names.map((name) => {
    if (!(name in values)) throw new Error(`missing value for :${name}`)
    return values[name as keyof typeof values] as unknown
  })
}

const contextValueOf: Record<string, () => string | undefined> = {
  $request_id: () => currentScope()?.requestId || undefined,
  $traceparent: currentTraceparent,
}

/** Replaces `$request_id` and `$traceparent` by the next free numbers. */
function withContextValues(text: string) {
  const contextValues: (() => string | undefined)[] = []
  let number = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)))
  let numbered = text
  for (const [name, origin] of Object.entries(contextValueOf)) {
    if (!numbered.includes(name)) continue
    contextValues.push(origin)
    numbered = numbered.replaceAll(name, `$$${++number}`)
  }
  return { numbered, contextValues }
}

/**
 * Adapts a connection to Kysely and names the statements made with `statement`. A connection on which the server
 * did not respond is not reused: the response may still arrive. A commit fails if a failed statement was ignored.
 */
export function toKyselyConnection(client: pg.PoolClient): PostgresPoolClient {
  let unresponsive: Error | undefined
  const send = async (text: string, values: unknown[]) => {
    if (unresponsive) throw unresponsive
    try {
      if (text.startsWith(marker)) {
        return await client.query(prepared(text, values))
      }
      const result = await client.query(text, values)
      // PostgreSQL rolls back on commit if a statement of the transaction failed.
      if (text === 'commit' && result.command === 'ROLLBACK') {
        throw new Error('transaction was rolled back: one of its statements had failed')
      }
      return result
    } catch (error) {
      if (error instanceof Error && isServerUnavailable(error)) unresponsive = error
      throw error
    }
  }
  const query = (text: string, values: unknown[]) => {
    const span = beginStatement(text)
    return span ? ending(span, send(text, values)) : send(text, values)
  }
  // Kysely passes only text unless it was given a cursor for streaming.
  const connection: unknown = { query, release: () => client.release(unresponsive) }
  return connection as PostgresPoolClient
}

/** Texts of all statements in the loaded modules. */
export const statementTexts = (): string[] => [...preparedNames.keys()]

/** Names of a statement's values in the order of their numbers; empty if they are numbered. */
export const valueNamesOf = (text: string): string[] => valueNames.get(text) ?? []
