import { sql } from 'kysely'
import { marker } from './statement.js'

/** Begins a statement whose plan each connection keeps; its text must not vary. */
export const prepared = sql.raw(marker)
