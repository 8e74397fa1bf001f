import { sql } from 'kysely'

/** Begins a statement of `statement` that is built by Kysely's `sql`. */
export const prepared = sql.raw('-- prepared\n')
