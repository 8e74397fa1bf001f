import type pg from 'pg'
import { memoizeFor } from '../timing/memoize.js'

const freshMs = 1000

/**
 * Whether the database responds within the pool's timeout. Results are cached for a second, whatever the
 * number of callers.
 */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  return memoizeFor(freshMs, () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  )
}
