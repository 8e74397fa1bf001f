import { statement } from '@figbase/kit/db'
import type { Db, RevisionRow } from '../db/schema.js'
import { summaryColumns } from './revisions.js'
import { firstThumbnailSql, isUnfinishedSql, type StoredThumbnail } from './thumbnails.js'

type Row = RevisionRow & { first: StoredThumbnail | null; is_unfinished: boolean }

const summaries = statement<Row>(`
  with first as materialized (${firstThumbnailSql('$2::uuid[]')})
  select ${summaryColumns},
         (select row_to_json(f) from first f where f.revision_id = id) as first,
         ${isUnfinishedSql('revision')} as is_unfinished
    from revision where id = any($1::uuid[])`)

/**
 * Revisions without metadata, in any order, and the thumbnail of the first of `newestIds` that has one. By the indexes of
 * `listRevisions` and `findFirstThumbnail`.
 */
export async function listSummaries(
  db: Db,
  ids: string[],
  newestIds: string[],
): Promise<{ rows: Row[]; thumbnail: StoredThumbnail | undefined }> {
  const rows = await summaries(db, ids, newestIds)
  return { rows, thumbnail: rows.find((row) => row.first)?.first ?? undefined }
}
