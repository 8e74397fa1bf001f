import { statement } from '@figbase/kit/db'
import { sql } from 'kysely'
import type { Db, UploadState } from '../db/schema.js'

const inserted = statement<never>('insert into upload (id, instance, storage) values ($1, $2, $3)')

/** `storage` null means the default storage. */
export async function insertUpload(
  db: Db,
  { id, instance, storage }: { id: string; instance: number; storage: string | null },
) {
  await inserted(db, id, instance, storage)
}

const moved = statement<never>('update upload set storage = $2 where id = $1')

/** New objects are staged there, too. */
export async function moveUpload(db: Db, id: string, storage: string) {
  await moved(db, id, storage)
}

/** Waits for a running commit. An upload that is still open becomes `discarded`. */
export async function closeUpload(
  db: Db,
  id: string,
): Promise<{ state: UploadState; storage: string | null } | undefined> {
  return db
    .updateTable('upload')
    .set({ state: sql`case when state = 'open' then 'discarded' else state end` })
    .where('id', '=', id)
    .returning(['state', 'storage'])
    .executeTakeFirst()
}

export async function deleteUpload(db: Db, id: string) {
  await db.deleteFrom('upload').where('id', '=', id).execute()
}

/** Scans the table, which only has current uploads. */
export async function listUploadProcesses(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('upload').select('instance').distinct().execute()
  return rows.map((row) => row.instance)
}

const byProcess = statement<{ id: string }>(
  'select id from upload where instance = $1 and (storage is not null) = $2 order by id',
)

/** Those to the default storage, or those to other storages. */
export async function listUploadsOf(
  db: Db,
  instance: number,
  elsewhere: boolean,
): Promise<string[]> {
  return (await byProcess(db, instance, elsewhere)).map(({ id }) => id)
}
