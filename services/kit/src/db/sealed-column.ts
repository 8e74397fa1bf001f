import type { Keys } from '../keys/keys.js'
import { seal, sealedPrefix, unseal } from '../keys/sealed.js'
import type { OpenData } from '../service/open-data.js'
import { statement } from './statement.js'

export type Resealed = {
  /** Number of rows sealed again. */
  resealed: number
  /** Ids of rows that no key opens or whose bytes are corrupt; left unchanged. */
  unreadable: string[]
}

/** A column of values made by `seal`; empty if there is no secret. */
export type SealedColumn = {
  /** `<table>.<column>` */
  name: string
  /**
   * Seals again, with the current key, the values that other keys sealed. It works in batches of one statement
   * each, so it can be interrupted: every row still opens with the keys of the ring, and the next run continues.
   */
  reseal(data: OpenData<unknown>, keys: Keys, signal?: AbortSignal): Promise<Resealed>
}

export type SealedColumnOptions<Name extends string> = {
  /** Purpose for `keys.derive`. */
  purpose: string
  /** Its primary key must be `id`, a UUID. */
  table: string
  column: string
  /** Columns that `contextOf` needs. */
  contextColumns: readonly Name[]
  contextOf(row: Record<Name, string>): string
}

const batchRows = 100
const lowestId = '00000000-0000-0000-0000-000000000000'

export function sealedColumn<Name extends string>(
  options: SealedColumnOptions<Name>,
): SealedColumn {
  const { purpose, table, column, contextColumns, contextOf } = options
  type Row = Record<Name, string> & { id: string; sealed: Buffer }
  // By the primary key.
  const findOthers = statement<Row>(`
    select ${['id', ...contextColumns].join(', ')}, ${column} as sealed from ${table}
     where id > $1 and length(${column}) > 0 and substring(${column} for length($2::bytea)) <> $2
     order by id limit ${batchRows}`)
  // A value that changed in the meantime is left.
  const replace = statement<{ id: string }>(`
    update ${table} t set ${column} = n.sealed
      from unnest($1::uuid[], $2::bytea[], $3::bytea[]) n (id, old, sealed)
     where t.id = n.id and t.${column} = n.old
    returning t.id`)
  return {
    name: `${table}.${column}`,
    async reseal({ db, write }, keys, signal) {
      const ring = keys.derive(purpose)
      const found: Resealed = { resealed: 0, unreadable: [] }
      for (let after = lowestId; ; ) {
        signal?.throwIfAborted()
        const rows = await findOthers(db, after, sealedPrefix(ring))
        const resealedValue = rows.flatMap((row) => {
          try {
            const context = contextOf(row)
            return { ...row, resealedValue: seal(ring, unseal(ring, row.sealed, context), context) }
          } catch {
            found.unreadable.push(row.id)
            return []
          }
        })
        const values = [
          resealedValue.map(({ id }) => id),
          resealedValue.map(({ sealed }) => sealed),
          resealedValue.map((row) => row.resealedValue),
        ]
        if (resealedValue.length > 0)
          found.resealed += (await write((db) => replace(db, ...values))).length
        const last = rows.at(-1)
        if (!last || rows.length < batchRows) return found
        after = last.id
      }
    },
  }
}
