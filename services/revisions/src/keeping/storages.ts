import type { Db } from '../db/schema.js'
import { defaultStorage } from '../stores/stores.js'

/** All storages that objects may be in. */
export async function listStorages(_db: Db): Promise<string[]> {
  return [defaultStorage]
}
