import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

export type HashMatch = { id: string; seq: bigint }

const matches = statement<HashMatch>(`
  select r.id, r.seq from revision r
   where r.data_hash = $1 and r.seq > $2::bigint and not r.is_processing
   order by r.seq limit $3`)

/**
 * Asset revisions whose data has this hash, oldest first. Permissions are not checked. By
 * revision_data_hash_idx.
 */
export function listHashMatches(
  db: Db,
  dataHash: string,
  limit: number,
  after = 0n,
): Promise<HashMatch[]> {
  return matches(db, dataHash, after.toString(), limit)
}
