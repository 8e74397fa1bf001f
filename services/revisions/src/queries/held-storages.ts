import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'

const held = statement<{ storage: string }>('select storage from held_storage')

export async function listHeldStorages(db: Db): Promise<Set<string>> {
  return new Set((await held(db)).map((row) => row.storage))
}

const hold = statement<never>(`
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
 * From now on nothing is deleted in storages that others may use, too: those that are not ours and, with
 * `own`, that of the installation. What was being uploaded to them is forgotten.
 */
export async function holdStorages(db: Db, { own }: { own: boolean }): Promise<void> {
  await hold(db, own)
}

const released = statement<{ storage: string }>('delete from held_storage returning storage')

export async function releaseStorages(db: Db): Promise<string[]> {
  return (await released(db)).map((row) => row.storage)
}
