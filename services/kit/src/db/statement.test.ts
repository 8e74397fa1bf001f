import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { type Executor, statement, statementTexts, valueNamesOf } from './statement.js'

/** Records statements and returns no rows. */
function recorder() {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db: Executor = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery<Row>) {
      asked.push({ sql: sql.replace('-- prepared\n', ''), parameters })
      return { rows: [] }
    },
  }
  return { asked, db }
}

test('numbers named values in the order of their first use', async () => {
  const find = statement<never, { id: string; name: string | null }>(
    'select from node where id = :id and (:name::text is null or name = :name or :id is null)',
  )
  const { asked, db } = recorder()
  await find(db, { name: null, id: 'a' })
  assert.deepEqual(asked, [
    {
      sql: 'select from node where id = $1 and ($2::text is null or name = $2 or $1 is null)',
      parameters: ['a', null],
    },
  ])
})

test('ignores colons in casts, slices, literals, quoted names and comments', async () => {
  const text = `select lineage[:last], lineage[1:n], a::text, ':b', 'it''s :c', "d :e", to_char(at, 'HH24:MI:SS')
    -- of :f
    where id = any(array[:id])`
  const { asked, db } = recorder()
  await statement<never, { id: number }>(text)(db, { id: 7 })
  assert.deepEqual(asked, [{ sql: text.replace(':id', '$1'), parameters: [7] }])
})

test('numbers $request_id after the named values', async () => {
  const { asked, db } = recorder()
  await statement<never, { id: number }>('select :id, $request_id, :id')(db, { id: 7 })
  assert.deepEqual(asked, [{ sql: 'select $1, $2, $1', parameters: [7, null] }])
})

test('returns the value names of a text in the order of their numbers', () => {
  const namesIn = (text: string) =>
    statementTexts()
      .filter((one) => one.includes(text))
      .map(valueNamesOf)
  statement<never, { to: number; from: number }>('select 1 as named, :to, :from, :to, $request_id')
  statement('select 1 as numbered, $1, $request_id')
  assert.deepEqual(namesIn('as named'), [['to', 'from']])
  assert.deepEqual(namesIn('as numbered'), [[]])
})

test('rejects a missing value and mixed names and numbers', async () => {
  const { db } = recorder()
  const find = statement<never, { id?: string }>('select :id')
  await assert.rejects(find(db, {}), /missing value for :id/)
  assert.throws(() => statement('select :id, $1'), /must not mix named and numbered/)
})
