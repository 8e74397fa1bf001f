import type { Kysely, Transaction } from 'kysely'

// Every query of this service is a `statement` with a type of its own.
export type Database = Record<string, never>

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
