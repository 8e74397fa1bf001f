import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'

export type Holder = { id: string; seq: bigint }

const holders = statement<Holder>(`
  select r.id, r.seq from revision r
   where r.data_hash = $1 and r.seq > $2::bigint and not r.is_processing
   order by r.seq limit $3`)

/** Asset revisions whose data has this hash, whoever may view them, oldest first. By revision_data_hash_idx. */
export function listHolders(
  db: Db,
  dataHash: string,
  limit: number,
  after = 0n,
): Promise<Holder[]> {
  return holders(db, dataHash, after.toString(), limit)
}
