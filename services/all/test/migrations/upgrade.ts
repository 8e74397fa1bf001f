import { type Migration, migrate } from '@figbase/kit'
import pg from 'pg'

/** Brings each of the schemas up to date, as the start of its service does. */
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
