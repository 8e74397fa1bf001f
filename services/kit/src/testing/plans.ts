import assert from 'node:assert/strict'
import { sql, type Transaction } from 'kysely'
import { valueNamesOf } from '../db/statement.js'

type Transact<DB> = <T>(work: (tx: Transaction<DB>) => Promise<T>) => Promise<T>

/** SQL of the values of a statement, by name or in order. */
type Values = string[] | Record<string, string>

/**
 * The custom and the generic plan of the only prepared statement of `run` that matches `text`, with these values;
 * missing values are null.
 */
export function plansOf<DB>(
  transact: Transact<DB>,
  run: (tx: Transaction<DB>) => Promise<unknown>,
  text: RegExp,
  values: Values,
): Promise<string[]> {
  return transact(async (tx) => {
    await run(tx)
    const { rows: kept } = await sql<{ name: string; statement: string; parameters: number }>`
      select name, statement, cardinality(parameter_types) as parameters from pg_prepared_statements`.execute(
      tx,
    )
    const found = kept.filter((row) => text.test(row.statement))
    assert.equal(found.length, 1)
    const { name, statement, parameters } = found[0] ?? { name: '', statement: '', parameters: 0 }
    const ordered = inOrder(values, valueNamesOf(statement))
    const all = Array.from({ length: parameters }, (_, index) => ordered[index] ?? 'null')
    const given = parameters > 0 ? `(${all.join(', ')})` : ''
    const plans = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await sql`set local plan_cache_mode = ${sql.raw(mode)}`.execute(tx)
      const { rows } = await sql
        .raw<{ 'QUERY PLAN': string }>(`explain execute "${name}"${given}`)
        .execute(tx)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  })
}

function inOrder(values: Values, names: string[]): string[] {
  if (Array.isArray(values)) return values
  for (const name of Object.keys(values)) assert.ok(names.includes(name), `unknown value :${name}`)
  return names.map((name) => values[name] ?? 'null')
}

/** Asserts that each plan uses all of these indexes and has no sequential scan. */
export function assertUses(plans: string[], indexes: string[]): void {
  for (const plan of plans) {
    for (const index of indexes) {
      assert.match(plan, new RegExp(`(using|on) ${index}\\b`), `${index} is not used: ${plan}`)
    }
    assert.doesNotMatch(plan, /Seq Scan/, `a table is read as a whole: ${plan}`)
  }
}
