import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'

const protectedIds = statement<{ storage: string }>('select storage from held_storage')

export async function listProtectedStorages(db: Db): Promise<Set<string>> {
  return new Set((await protectedIds(db)).map((row) => row.storage))
}

const protect = statement<never>(`
  with held as (
    insert into held_storage (storage)
    select id::text from storage union all select '${defaultStorage}' where $1::boolean
    on conflict do nothing
    returning storage
  ), resumable as (
    delete from resumable_upload where $1::boolean
  )
  delete from upload u using held h where h.storage = coalesce(u.storage, '${defaultStorage}')`)

/**
 * Prevents deletions in storages that another installation may use: those of users and, with `own`, that of
 * the installation. Deletes the rows of unfinished uploads to them.
 */
export async function protectStorages(db: Db, { own }: { own: boolean }): Promise<void> {
  await protect(db, own)
}

const released = statement<{ storage: string }>('delete from held_storage returning storage')

export async function unprotectStorages(db: Db): Promise<string[]> {
  return (await released(db)).map((row) => row.storage)
}
