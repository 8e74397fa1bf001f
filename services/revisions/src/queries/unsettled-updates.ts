import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

export type UnsettledUpdate = {
  id: string
  author: string
  has_data: boolean
  silent: boolean
  figure_revision_id: string | null
}

const unsettled = statement<UnsettledUpdate>(`
  select id, author, has_data, silent, figure_revision_id
    from revision_update where revision_id = $1 order by seq`)

/** Updates that catalog may not know yet, in the order of their commits. By revision_update_revision_idx. */
export function listUnsettled(db: Db, revisionId: string): Promise<UnsettledUpdate[]> {
  return unsettled(db, revisionId)
}

const settled = statement<never>('delete from revision_update where id = any($1::uuid[])')

export async function deleteSettled(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await settled(db, ids)
}

const noted = statement<{ id: string }>('select id from revision_update where id = $1')

/** Needs the lock of the revision, so that no commit is in progress. */
export async function isUpdateCommitted(tx: Db, id: string): Promise<boolean> {
  return (await noted(tx, id)).length > 0
}
