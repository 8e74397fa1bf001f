import type { Pool } from 'pg'

/** Names of the migrations applied to the first schema of the search path. */
export async function appliedIn(pool: Pool): Promise<Set<string>> {
  const { rows: found } = await pool.query<{ is_there: boolean }>(
    `select to_regclass('migration') is not null as is_there`,
  )
  if (!found[0]?.is_there) return new Set()
  const { rows } = await pool.query<{ name: string }>('select name from migration')
  return new Set(rows.map(({ name }) => name))
}
