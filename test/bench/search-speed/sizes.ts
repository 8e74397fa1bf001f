import type pg from 'pg'

export type IndexSizes = { part: string; bytes: number }[]

const parts = {
  words: "relname ~ '^(entry|word)_[0-9]+$'",
  places: "relname = 'place'",
  'vectors and pictures': "relname = 'likeness'",
}

/** The tables of an index with their own indexes. */
export async function readSizes(client: pg.Client): Promise<IndexSizes> {
  const sizes: IndexSizes = []
  for (const [part, condition] of Object.entries(parts)) {
    const { rows } = await client.query<{ bytes: string }>(`
      select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
       where relnamespace = 'search'::regnamespace and relkind = 'r' and ${condition}`)
    sizes.push({ part, bytes: Number(rows[0]?.bytes) })
  }
  return sizes
}
