import { join } from 'node:path'
import { type EnvReader, readSettings as readFrom } from '@figbase/kit/config'
import type { Database } from '@figbase/kit/db'
import { type Keys, keysFrom, readKeys } from '@figbase/kit/keys'
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
  const { s3, given } = readFrom(env, (reader) => ({
    s3: readS3Settings(reader),
    given: readGivenKeys(reader, env),
  }))
  const options = {
    env: { LOG_LEVEL: 'silent', ...env },
    database,
    keys: given ?? (await keysOf(dataDir)),
    objects: openObjectStore(s3, join(dataDir, 'objects')),
  }
  return openMaintenance(options).catch(explainSchema)
}

/** Undefined for a deployment with a data directory. */
const readGivenKeys = (reader: EnvReader, env: NodeJS.ProcessEnv): Keys | undefined =>
  env.FIGBASE_SECRET_KEY ? readKeys(reader) : undefined

async function keysOf(dataDir: string): Promise<Keys> {
  const { current, previous } = await readSecrets(dataDir)
  return keysFrom(current, previous)
}
