import { statement } from '@figbase/kit/db'
import type { Db, VersionRow } from '../db/schema.js'

export type VersionSummary = Pick<VersionRow, 'version' | 'saved_by' | 'saved_on'>

const page = statement<VersionSummary>(`
  select version, saved_by, saved_on from story_version
   where story_id = $1 and version < $2 order by version desc limit $3`)

/** Versions before one, newest first. Uses story_version_pkey. */
export function listVersions(
  db: Db,
  storyId: string,
  before: number,
  limit: number,
): Promise<VersionSummary[]> {
  return page(db, storyId, before, limit)
}

const byNumber = statement<VersionRow>(`
  select story_id, version, name, description, revision_ids, slides, size_bytes, saved_by, saved_on
    from story_version where story_id = $1 and version = $2`)

/** Uses story_version_pkey. */
export async function findVersion(
  db: Db,
  storyId: string,
  version: number,
): Promise<VersionRow | undefined> {
  return (await byNumber(db, storyId, version))[0]
}

const savedBy = statement<VersionRow>(`
  select distinct on (story_id) story_id, version, name, description, revision_ids, slides, size_bytes, saved_by,
         saved_on
    from story_version where saved_by = $1 and story_id > $2
   order by story_id, version desc limit $3`)

/** The last version that a user has saved of each story, after a story. Uses story_version_saved_by_idx. */
export function listSavedBy(
  db: Db,
  username: string,
  after: string,
  limit: number,
): Promise<VersionRow[]> {
  return savedBy(db, username, after, limit)
}
