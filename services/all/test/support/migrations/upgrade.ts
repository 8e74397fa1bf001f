import { type Migration, migrate } from '@figbase/kit/db'
import pg from 'pg'

/** Migrates each schema, as its service does at startup. */
export async function upgrade(
  url: string,
  schemas: { name: string; migrations: Migration[] }[],
): Promise<void> {
  for (const { name, migrations } of schemas) {
    const pool = new pg.Pool({
      connectionString: url,
      max: 2,
      options: `-c search_path=${name}`,
    })
    await migrate(pool, name, migrations).finally(() => pool.end())
  }
}
