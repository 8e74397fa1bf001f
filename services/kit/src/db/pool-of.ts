import type pg from 'pg'

const pools = new WeakMap<object, pg.Pool>()

/** The pool of a database; undefined for a transaction, which holds one connection. */
export const poolOf = (db: object): pg.Pool | undefined => pools.get(db)

export function setPool(db: object, pool: pg.Pool): void {
  pools.set(db, pool)
}
