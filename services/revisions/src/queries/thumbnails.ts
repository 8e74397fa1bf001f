import type { Db, ThumbnailRow } from '../db/schema.js'

export async function upsertThumbnail(tx: Db, thumbnail: ThumbnailRow): Promise<void> {
  await tx
    .insertInto('thumbnail')
    .values(thumbnail)
    .onConflict((conflict) => conflict.column('revision_id').doUpdateSet(thumbnail))
    .execute()
}

export function findThumbnail(db: Db, revisionId: string): Promise<ThumbnailRow | undefined> {
  return db
    .selectFrom('thumbnail')
    .selectAll()
    .where('revision_id', '=', revisionId)
    .executeTakeFirst()
}
