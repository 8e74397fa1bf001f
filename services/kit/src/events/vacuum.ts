import type pg from 'pg'
import type { Logger } from '../log.js'

const rowsMin = 20_000

/**
 * Vacuums a table of short-lived rows after enough deletions, of which the caller reports the number. Autovacuum runs
 * at most once a minute per database: under load, the table would be large by then and reading its head slow.
 */
export function createVacuum(
  pool: pg.Pool,
  table: string,
  log: Logger,
): (rowsDeleted: number) => Promise<void> {
  let deleted = 0
  return async (rowsDeleted) => {
    deleted += rowsDeleted
    if (deleted < rowsMin) return
    deleted = 0
    try {
      await pool.query(`vacuum (skip_locked, truncate false) ${table}`)
    } catch (err) {
      log.warn({ err, table }, 'vacuum failed')
    }
  }
}
