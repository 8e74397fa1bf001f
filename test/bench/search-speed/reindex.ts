import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { Product } from '../product.js'

export type Reindex = { objects: number; seconds: number; perSecond: number }

const launcher = fileURLToPath(new URL('../../../../services/all/start.mjs', import.meta.url))
const pollMs = 100

/** Runs `reindex`, and measures the time from the begin of the new index until it is searched. */
export async function measureReindex({ dataDir }: Product, client: pg.Client): Promise<Reindex> {
  const generation = async () =>
    (
      await client.query<{ n: number }>(`select max(generation) as n from search.index_generation
                                         where state = 'live'`)
    ).rows[0]?.n ?? 0
  const before = await generation()
  await promisify(execFile)(process.execPath, [launcher, 'reindex', '--no-wait'], {
    cwd: dirname(launcher),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, FIGBASE_DATA_DIR: dataDir },
  })
  while ((await generation()) === before) await sleep(pollMs)
  const { rows } = await client.query<{ seconds: number; objects: number }>(`
    select extract(epoch from now() - started_on)::float8 as seconds,
           (select count(*)::int from search.place) as objects
      from search.index_generation where state = 'live'`)
  const { seconds = 0, objects = 0 } = rows[0] ?? {}
  return { objects, seconds, perSecond: objects / seconds }
}
