import type { OpenData } from './db/open-data.js'
import { statement } from './db/statement.js'
import type { Keys } from './keys.js'
import { seal, sealedBegin, unseal } from './sealed.js'

export type Resealed = {
  /** How many were sealed anew. */
  resealed: number
  /** Ids of rows that no key opens, or that were changed; they stay as they are. */
  unreadable: string[]
}

/** A column of a service that holds what `seal` answers, empty where there is nothing to hide. */
export type SealedColumn = {
  /** Of the table and the column. */
  name: string
  /**
   * Seals anew, with the current key, what another one has sealed, in batches of one statement each: whatever
   * ends it, each row opens with the keys of the ring, and the next time goes on from there.
   */
  reseal(data: OpenData<unknown>, keys: Keys, signal?: AbortSignal): Promise<Resealed>
}

export type SealedColumnOptions<Name extends string> = {
  /** For `keys.derive`. */
  purpose: string
  /** With a primary key `id`, a uuid. */
  table: string
  column: string
  /** What the context of a row is made of. */
  contextColumns: readonly Name[]
  contextOf(row: Record<Name, string>): string
}

const batchRows = 100
const beforeAll = '00000000-0000-0000-0000-000000000000'

export function sealedColumn<Name extends string>(
  options: SealedColumnOptions<Name>,
): SealedColumn {
  const { purpose, table, column, contextColumns, contextOf } = options
  type Row = Record<Name, string> & { id: string; sealed: Buffer }
  // By the primary key.
  const others = statement<Row>(`
    select ${['id', ...contextColumns].join(', ')}, ${column} as sealed from ${table}
     where id > $1 and length(${column}) > 0 and substring(${column} for length($2::bytea)) <> $2
     order by id limit ${batchRows}`)
  // What was sealed in the meantime stays.
  const replaced = statement<{ id: string }>(`
    update ${table} t set ${column} = n.sealed
      from unnest($1::uuid[], $2::bytea[], $3::bytea[]) n (id, old, sealed)
     where t.id = n.id and t.${column} = n.old
    returning t.id`)
  return {
    name: `${table}.${column}`,
    async reseal({ db, write }, keys, signal) {
      const ring = keys.derive(purpose)
      const found: Resealed = { resealed: 0, unreadable: [] }
      for (let after = beforeAll; ; ) {
        signal?.throwIfAborted()
        const rows = await others(db, after, sealedBegin(ring))
        const anew = rows.flatMap((row) => {
          try {
            const context = contextOf(row)
            return { ...row, anew: seal(ring, unseal(ring, row.sealed, context), context) }
          } catch {
            found.unreadable.push(row.id)
            return []
          }
        })
        const values = [
          anew.map(({ id }) => id),
          anew.map(({ sealed }) => sealed),
          anew.map((row) => row.anew),
        ]
        if (anew.length > 0) found.resealed += (await write((db) => replaced(db, ...values))).length
        const last = rows.at(-1)
        if (!last || rows.length < batchRows) return found
        after = last.id
      }
    },
  }
}
