import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The size of a table in bytes, with indexes and partitions, in all schemas. */
export type Growth = { table: string; endBytes: number; peakBytes: number }

type Row = { table: string; bytes: string }

const sampleMs = 500

const sizes = `
  select coalesce(p.relname, c.relname)::text as table, sum(pg_total_relation_size(c.oid)) as bytes
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
   where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema') and c.relkind = 'r' and coalesce(p.relname, c.relname) = any($1)
   group by 1`

/** Measures the sizes of tables during `work` and at its end. */
export async function growthWhile(
  databaseUrl: string,
  tables: string[],
  work: () => Promise<unknown>,
): Promise<Growth[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const found = new Map<string, Growth>()
  const look = async () => {
    const { rows } = await client.query<Row>(sizes, [tables])
    for (const { table, bytes } of rows) {
      const endBytes = Number(bytes)
      const peakBytes = Math.max(endBytes, found.get(table)?.peakBytes ?? 0)
      found.set(table, { table, endBytes, peakBytes })
    }
  }
  try {
    let isOver = false
    const looking = (async () => {
      while (!isOver) {
        await look()
        await sleep(sampleMs)
      }
    })()
    await work().finally(() => {
      isOver = true
    })
    await looking
    await look()
    return tables.flatMap((table) => found.get(table) ?? [])
  } finally {
    await client.end()
  }
}
