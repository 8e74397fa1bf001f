import { readSettings } from '@figbase/kit/config'
import type { Database } from '@figbase/kit/db'
import { createFailPoint, storeWithFailPoints } from '@figbase/kit/faults'
import type { Keys } from '@figbase/kit/keys'
import type { ObjectStore } from '@figbase/kit/objects'
import { openData } from '@figbase/kit/service'
import { readConfig } from '../config.js'
import { migrations } from '../db/migrations/index.js'
import type { Tables } from '../db/schema.js'
import { createCustomStores } from '../stores/custom-stores.js'
import { createStores } from '../stores/stores.js'
import type { Maintenance } from './collect.js'

export type MaintenanceOptions = {
  /** The environment of the service. */
  env: Record<string, string | undefined>
  database: Database
  keys: Keys
  objects: ObjectStore
}

/** What the commands fsck and collect work with. The service may be running or not. Throws SchemaOutdated. */
export async function openMaintenance(
  options: MaintenanceOptions,
): Promise<Maintenance & AsyncDisposable & { graceMs: number }> {
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
