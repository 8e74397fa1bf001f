import { statement } from '@figbase/kit'
import { sql } from 'kysely'
import type { Db, UploadState } from '../db/schema.js'

const inserted = statement<never>('insert into upload (id, instance) values ($1, $2)')

export async function insertUpload(db: Db, upload: { id: string; instance: number }) {
  await inserted(db, upload.id, upload.instance)
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
