import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

const locked = statement<{ id: string }>(`
  select id from revision where id = any($1::uuid[]) order by id for no key update`)

/** Locks revisions until the transaction ends, in the same order everywhere. By revision_pkey. */
export async function lockRevisions(tx: Db, ids: string[]): Promise<void> {
  await locked(tx, ids)
}

export type Unlinking = {
  updateId: string
  figureRevisionId: string
  assetRevisionId: string
  /** The revision that is updated. */
  anchorId: string
  author: string
  silent: boolean
}

const unlinked = statement<{ id: string }, Unlinking>(`
  with unlinked as (
    delete from asset_link
     where figure_revision_id = :figureRevisionId and asset_revision_id = :assetRevisionId
    returning figure_revision_id
  ), changed as (
    update revision set version = version + 1
     where id in (:figureRevisionId::uuid, :anchorId::uuid) and exists (select from unlinked)
  )
  insert into revision_update (id, revision_id, author, has_data, silent, figure_revision_id)
  select :updateId::uuid, :anchorId::uuid, :author, false, :silent::boolean, :figureRevisionId::uuid
   where exists (select from unlinked)
  returning id`)

/** False if there is no link. By asset_link_pkey. */
export async function unlink(tx: Db, unlinking: Unlinking): Promise<boolean> {
  return (await unlinked(tx, unlinking)).length > 0
}
