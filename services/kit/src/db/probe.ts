import type pg from 'pg'
import { recent } from '../operations/within.js'

const freshMs = 1000

/**
 * Whether the database answers within the pool's time limit. However many ask, and as often as
 * they like, the database is asked once a second at most.
 */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  return recent(freshMs, () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  )
}
