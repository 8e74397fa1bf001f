import { join } from 'node:path'
import {
  keysFrom,
  openObjectStore,
  readSettings as readFrom,
  readS3Settings,
  SchemaBehind,
} from '@figbase/kit'
import { type Keeping, openKeeping } from '@figbase/revisions'
import { Failure } from '../failure.js'
import type { Host } from '../main.js'
import { readSecrets } from '../secrets.js'
import type { Settings } from '../settings.js'

export type OpenedKeeping = Keeping & AsyncDisposable & { graceMs: number }

/** Rows and objects of an installation whose database is open. */
export async function openInstallation(
  { dataDir }: Settings,
  { env }: Host,
  databaseUrl: string,
): Promise<OpenedKeeping> {
  const { s3 } = readFrom(env, (reader) => ({ s3: readS3Settings(reader) }))
  const { current, previous } = await readSecrets(dataDir)
  const options = {
    env: { LOG_LEVEL: 'silent', ...env },
    databaseUrl,
    keys: keysFrom(current, previous),
    objects: openObjectStore(s3, join(dataDir, 'objects')),
  }
  return openKeeping(options).catch((cause) => {
    if (!(cause instanceof SchemaBehind)) throw cause
    throw new Failure(
      'the database is of an older version of Figbase',
      'Start Figbase once: that brings it to this version.',
      { cause },
    )
  })
}
