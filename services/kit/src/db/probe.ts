import type pg from 'pg'

const freshMs = 1000

/**
 * Whether the database answers within the pool's time limit. However many ask, and as often as
 * they like, the database is asked once a second at most.
 */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  const ask = async () => {
    try {
      await pool.query('select 1')
      return true
    } catch {
      return false
    } finally {
      setTimeout(() => {
        answer = undefined
      }, freshMs).unref()
    }
  }
  return () => {
    answer ??= ask()
    return answer
  }
}
