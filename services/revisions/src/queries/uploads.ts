import { sql } from 'kysely'
import type { Db, UploadState } from '../db/schema.js'

export async function insertUpload(db: Db, upload: { id: string; instance: number }) {
  await db.insertInto('upload').values(upload).execute()
}

/** For the transaction that commits an upload; false when it was discarded meanwhile. */
export async function commitUpload(tx: Db, id: string, leftovers: boolean): Promise<boolean> {
  if (leftovers) {
    const { numUpdatedRows } = await tx
      .updateTable('upload')
      .set({ state: 'committed' })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('upload')
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Waits for a commit under way; an upload that is open afterwards becomes `discarded`. */
export async function closeUpload(db: Db, id: string): Promise<UploadState | undefined> {
  const row = await db
    .updateTable('upload')
    .set({ state: sql`case when state = 'open' then 'discarded' else state end` })
    .where('id', '=', id)
    .returning('state')
    .executeTakeFirst()
  return row?.state
}

export async function deleteUpload(db: Db, id: string) {
  await db.deleteFrom('upload').where('id', '=', id).execute()
}

/** A scan: the table holds the uploads of the moment. */
export async function listUploadInstances(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('upload').select('instance').distinct().execute()
  return rows.map((row) => row.instance)
}

export async function listUploadsOf(db: Db, instance: number): Promise<string[]> {
  const rows = await db.selectFrom('upload').select('id').where('instance', '=', instance).execute()
  return rows.map((row) => row.id)
}
