import type pg from 'pg'
import type { Logger } from '../log.js'

const rowsMin = 20_000

/**
 * For a table whose rows come and go: to be told how many went. Autovacuum comes once a minute and
 * database at most; in a flood the table would be large by then, and each look at its head slow.
 */
export function createVacuum(
  pool: pg.Pool,
  table: string,
  log: Logger,
): (rowsGone: number) => Promise<void> {
  let gone = 0
  return async (rowsGone) => {
    gone += rowsGone
    if (gone < rowsMin) return
    gone = 0
    try {
      await pool.query(`vacuum (skip_locked, truncate false) ${table}`)
    } catch (err) {
      log.warn({ err, table }, 'a table of events was not vacuumed')
    }
  }
}
