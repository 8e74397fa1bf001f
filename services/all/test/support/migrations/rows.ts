import type pg from 'pg'

/** Columns by table. */
export type Columns = Map<string, string[]>
/** Number of rows by table and digest. */
export type Rows = Map<string, Map<string, number>>

/** The current columns of all tables of the schemas. */
export async function columnsOf(client: pg.Client, schemas: string[]): Promise<Columns> {
  await client.query(`set search_path = ''`)
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.oid::regclass::text as name, array_agg(format('%I', a.attname) order by a.attnum) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = any(select oid from pg_namespace where nspname = any($1))
        and c.relkind in ('r', 'p') and not c.relispartition
      group by c.oid order by 1`,
    [schemas],
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

export async function rowsOf(client: pg.Client, columns: Columns): Promise<Rows> {
  await client.query(`set search_path = ''; set timezone = 'UTC'`)
  const rows: Rows = new Map()
  for (const [table, names] of columns) {
    const { rows: found } = await client.query<{ digest: string; count: number }>(
      `select md5(row(${names.join(', ')})::text) as digest, count(*)::int from ${table} group by 1`,
    )
    rows.set(table, new Map(found.map(({ digest, count }) => [digest, count])))
  }
  return rows
}

/** Changed or deleted rows. */
export function lossesOf(before: Rows, after: Rows): string[] {
  return [...after].flatMap(([table, now]) => {
    const lost = [...(before.get(table) ?? [])].reduce(
      (sum, [digest, count]) => sum + Math.max(0, count - (now.get(digest) ?? 0)),
      0,
    )
    return lost === 0 ? [] : [`${lost} rows of ${table} were changed or deleted`]
  })
}

/** The tables that still have all of their columns. */
export const keptOf = (columns: Columns, now: Columns): Columns =>
  new Map(
    [...columns].filter(([table, names]) => names.every((name) => now.get(table)?.includes(name))),
  )
