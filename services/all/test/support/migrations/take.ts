import assert from 'node:assert/strict'
import { statementTexts } from '@figbase/kit/testing'
import type pg from 'pg'
import { runningUrl } from '../../../src/postgres/address.js'
import { databaseName } from '../../../src/postgres/embedded.js'
import { dumpRows } from './dump.js'
import { factsOf } from './facts.js'
import { leaveBehind } from './left-behind.js'
import { restoreSnapshot, withClient } from './restore.js'
import { columnsOf, rowsOf } from './rows.js'
import { schemas } from './schemas.js'
import type { Known, Snapshot } from './snapshot.js'
import { refusedOf } from './statements.js'

export type Heard = { schema: string; sql: string }
export type Refused = Heard & { why: string }

export type TakeOptions = {
  version: string
  /** Data directory of the running product. */
  dataDir: string
  known: Known
  heard: Heard[]
}

const names = schemas.map(({ name }) => name)

/**
 * Takes a snapshot of a running product; `refused` has the statements that PostgreSQL cannot plan. Throws when a restore
 * of the snapshot differs.
 */
export async function takeSnapshot(
  options: TakeOptions,
): Promise<{ snapshot: Snapshot; refused: Refused[] }> {
  const { version, dataDir, known, heard } = options
  const url = await runningUrl(dataDir, databaseName)
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read')
    await leaveBehind(client, names)
    const dump = await dumpRows(client, names)
    const there = await describe(client)
    await client.query('rollback')
    const { statements, refused } = await assignStatements(client, heard)
    const snapshot: Snapshot = {
      version,
      schemas: schemas.map(({ name, lists, constraints }) => ({
        name,
        migrations: lists.flat().map(({ name, sql, inTransaction }) => ({
          name,
          sql,
          ...(inTransaction === false && { inTransaction }),
        })),
        constraints,
        statements: statements.get(name) ?? [],
      })),
      dump,
      known,
    }
    await client.query('create database restored')
    const restored = await runningUrl(dataDir, 'restored')
    await restoreSnapshot(restored, snapshot)
    assert.deepEqual(await withClient(restored, describe), there)
    return { snapshot, refused }
  })
}

async function describe(client: pg.Client) {
  const facts = await factsOf(client, names)
  return { facts, rows: await rowsOf(client, await columnsOf(client, names)) }
}

/** Statements that PostgreSQL plans, not utility commands. */
const isPlanned = ({ sql }: { sql: string }) =>
  /^(\s|--.*\n)*(select|insert|update|delete|with|values|merge)\b/i.test(sql)

/** Assigns statements to schemas; those without a schema belong to each schema that can plan them. */
async function assignStatements(client: pg.Client, heard: Heard[]) {
  const statements = new Map<string, string[]>()
  const fixed = statementTexts().map((sql) => ({ schema: '', sql }))
  const planned = [...heard, ...fixed].filter(isPlanned)
  const refused: Refused[] = []
  for (const schema of names) {
    const own = planned.filter((one) => one.schema === schema).map(({ sql }) => sql)
    const common = planned.filter((one) => !names.includes(one.schema)).map(({ sql }) => sql)
    const texts = [...new Set([...own, ...common])].sort()
    const rejected = await refusedOf(client, schema, texts)
    const isRejected = new Set(rejected.map(({ sql }) => sql))
    statements.set(
      schema,
      texts.filter((sql) => !isRejected.has(sql)),
    )
    refused.push(
      ...rejected.filter(({ sql }) => own.includes(sql)).map((one) => ({ schema, ...one })),
    )
  }
  return { statements, refused }
}
