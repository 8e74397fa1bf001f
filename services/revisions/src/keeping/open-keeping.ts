import {
  createFailPoint,
  type Database,
  type Keys,
  type ObjectStore,
  openData,
  readSettings,
  storeWithFailPoints,
} from '@figbase/kit'
import { readConfig } from '../config.js'
import { migrations } from '../db/migrations/index.js'
import type { Tables } from '../db/schema.js'
import { createCustomStores } from '../stores/custom-stores.js'
import { createStores } from '../stores/stores.js'
import type { Keeping } from './collect.js'

export type KeepingOptions = {
  /** As the service has it. */
  env: Record<string, string | undefined>
  database: Database
  keys: Keys
  objects: ObjectStore
}

/** What the commands fsck and collect work with, whether or not the service runs. Throws SchemaBehind. */
export async function openKeeping(
  options: KeepingOptions,
): Promise<Keeping & AsyncDisposable & { graceMs: number }> {
  const { env, database, keys } = options
  const cfg = readSettings(env, readConfig)
  const data = await openData<Tables>('revisions', migrations, database, env)
  const failPoint = createFailPoint('revisions', env.FAIL_AT ?? '')
  const objects = failPoint ? storeWithFailPoints(options.objects, failPoint) : options.objects
  const custom = createCustomStores(data.db, keys, cfg.custom)
  return {
    ...data,
    stores: createStores(objects, custom),
    graceMs: cfg.collectGraceMs,
  }
}
