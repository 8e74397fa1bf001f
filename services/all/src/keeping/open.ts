import { join } from 'node:path'
import {
  type Database,
  keysFrom,
  openObjectStore,
  readSettings as readFrom,
  readS3Settings,
} from '@figbase/kit'
import { type Keeping, openKeeping } from '@figbase/revisions'
import { explainSchema } from '../explain-schema.js'
import type { Host } from '../main.js'
import { readSecrets } from '../secrets.js'
import type { Settings } from '../settings.js'

export type OpenedKeeping = Keeping & AsyncDisposable & { graceMs: number }

/** Rows and objects of an installation whose database is open. */
export async function openInstallation(
  { dataDir }: Settings,
  { env }: Host,
  database: Database,
): Promise<OpenedKeeping> {
  const { s3 } = readFrom(env, (reader) => ({ s3: readS3Settings(reader) }))
  const { current, previous } = await readSecrets(dataDir)
  const options = {
    env: { LOG_LEVEL: 'silent', ...env },
    database,
    keys: keysFrom(current, previous),
    objects: openObjectStore(s3, join(dataDir, 'objects')),
  }
  return openKeeping(options).catch(explainSchema)
}
