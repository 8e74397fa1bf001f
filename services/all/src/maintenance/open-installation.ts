import { join } from 'node:path'
import { readSettings as readFrom } from '@figbase/kit/config'
import type { Database } from '@figbase/kit/db'
import { keysFrom } from '@figbase/kit/keys'
import { openObjectStore, readS3Settings } from '@figbase/kit/objects'
import { type Maintenance, openMaintenance } from '@figbase/revisions'
import { explainSchema } from '../explain-schema.js'
import type { Host } from '../main.js'
import { readSecrets } from '../secrets.js'
import type { Settings } from '../settings.js'

export type OpenInstallation = Maintenance & AsyncDisposable & { graceMs: number }

/** Opens the tables and objects of an installation for maintenance. */
export async function openInstallation(
  { dataDir }: Settings,
  { env }: Host,
  database: Database,
): Promise<OpenInstallation> {
  const { s3 } = readFrom(env, (reader) => ({ s3: readS3Settings(reader) }))
  const { current, previous } = await readSecrets(dataDir)
  const options = {
    env: { LOG_LEVEL: 'silent', ...env },
    database,
    keys: keysFrom(current, previous),
    objects: openObjectStore(s3, join(dataDir, 'objects')),
  }
  return openMaintenance(options).catch(explainSchema)
}
