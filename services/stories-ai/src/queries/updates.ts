import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

export type UnsettledUpdate = { id: string; author: string; is_silent: boolean; note: string }

const unsettled = statement<UnsettledUpdate>(`
  select id, author, is_silent, note from story_update where story_id = $1 order by seq`)

/** Updates that catalog may not know yet, in the order of their commits. Uses story_update_story_idx. */
export function listUnsettled(db: Db, storyId: string): Promise<UnsettledUpdate[]> {
  return unsettled(db, storyId)
}

const settled = statement<never>('delete from story_update where id = any($1::uuid[])')

export async function deleteSettled(db: Db, ids: string[]): Promise<void> {
  await settled(db, ids)
}
