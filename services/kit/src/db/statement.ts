import { createHash } from 'node:crypto'
import { CompiledQuery, type PostgresPoolClient, type QueryResult } from 'kysely'
import type pg from 'pg'
import { currentScope, currentTraceparent, ending } from '../tracing/scope.js'
import { beginStatement } from '../tracing/sql.js'
import { isServerAway } from './pg-errors.js'

export const marker = '-- prepared\n'
/** The names under which connections keep them, by their texts. */
const namesOfTexts = new Map<string, string>()
/** The names of their values in the order of their numbers, by their texts. */
const valueNames = new Map<string, string[]>()

/** A database or a transaction. */
export type Executor = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/** Runs a statement on a database or in a transaction, with its values in the order of $1, $2, … */
export type Statement<Row> = (db: Executor, ...values: unknown[]) => Promise<Row[]>

/** Runs a statement on a database or in a transaction, with the values of its names. */
export type NamedStatement<Row, Values extends object> = (
  db: Executor,
  values: Values,
) => Promise<Row[]>

/**
 * A statement with a fixed text: no SQL is built when it runs, and each connection keeps its plan.
 * For all that runs often. Its columns must be named: `select *` would fail on open connections once
 * a migration adds a column.
 *
 * Its values have names, `:revisionId`, and come as one object; undefined is null. Up to three may be numbered
 * instead, `$1`, and come in their order. `$request_id` and `$traceparent` stand for what it is a part of; null where
 * it is part of nothing.
 */
export function statement<Row>(text: string): Statement<Row>
export function statement<Row, Values extends object>(text: string): NamedStatement<Row, Values>
export function statement<Row>(text: string): Statement<Row> {
  const { named, names } = withNames(text)
  const { numbered, origins } = withOrigins(named)
  const marked = marker + numbered
  namesOfTexts.set(marked, createHash('sha256').update(marked).digest('base64url'))
  valueNames.set(marked, names)
  return async (db, ...given) => {
    const values = names.length > 0 ? valuesOf(names, given[0] as object) : given
    for (const origin of origins) values.push(origin() ?? null)
    const query = CompiledQuery.raw(marked, values) as CompiledQuery<Row>
    return (await db.executeQuery<Row>(query)).rows
  }
}

/** What may contain a colon, and a name. Not a name: `::text`, and in `lineage[:last]`, which is a slice. */
const namePattern = /'[^']*'|"[^"]*"|--[^\n]*|(?<![:\w]|(?<!\barray)\[):([a-z]\w*)/gi

/** With numbers in place of the names, in the order in which they come first. */
function withNames(text: string) {
  const names: string[] = []
  const named = text.replaceAll(namePattern, (found, name: string | undefined) => {
    if (name === undefined) return found
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  if (names.length > 0 && /\$\d/.test(text)) {
    throw new Error(`a statement has both names and numbers for its values: ${text}`)
  }
  return { named, names }
}

function valuesOf(names: string[], values: object): unknown[] {
  return names.map((name) => {
    if (!(name in values)) throw new Error(`a statement got no value for :${name}`)
    return values[name as keyof typeof values] as unknown
  })
}

const originOf: Record<string, () => string | undefined> = {
  $request_id: () => currentScope()?.requestId || undefined,
  $traceparent: currentTraceparent,
}

/** With numbers in place of the names, behind those that are there. */
function withOrigins(text: string) {
  const origins: (() => string | undefined)[] = []
  let number = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)))
  let numbered = text
  for (const [name, origin] of Object.entries(originOf)) {
    if (!numbered.includes(name)) continue
    origins.push(origin)
    numbered = numbered.replaceAll(name, `$$${++number}`)
  }
  return { numbered, origins }
}

/**
 * A connection as Kysely wants it, which gives the statements of `statement` a name. One on which the server
 * did not answer is not used again: the answer may still come. A commit fails where a failed statement was hidden.
 */
export function preparing(client: pg.PoolClient): PostgresPoolClient {
  let lost: Error | undefined
  const send = async (text: string, values: unknown[]) => {
    if (lost) throw lost
    try {
      if (text.startsWith(marker)) {
        return await client.query({ name: namesOfTexts.get(text), text, values })
      }
      const result = await client.query(text, values)
      // What PostgreSQL answers to the commit of a transaction in which a statement failed.
      if (text === 'commit' && result.command === 'ROLLBACK') {
        throw new Error('nothing was committed: a statement of the transaction had failed')
      }
      return result
    } catch (error) {
      if (error instanceof Error && isServerAway(error)) lost = error
      throw error
    }
  }
  const query = (text: string, values: unknown[]) => {
    const span = beginStatement(text)
    return span ? ending(span, send(text, values)) : send(text, values)
  }
  // Kysely passes text alone, unless it was given a cursor to stream with.
  const connection: unknown = { query, release: () => client.release(lost) }
  return connection as PostgresPoolClient
}

/** The texts of all statements of the modules that are loaded. */
export const statementTexts = (): string[] => [...namesOfTexts.keys()]

/** The names of the values of a statement with this text, in the order of their numbers; none: it has numbers. */
export const valueNamesOf = (text: string): string[] => valueNames.get(text) ?? []
