import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'

const custom = statement<{ id: string }>('select id from storage order by created_on, id')

/** All storages that may contain objects. */
export async function listStorages(db: Db): Promise<string[]> {
  return [defaultStorage, ...(await custom(db)).map(({ id }) => id)]
}
