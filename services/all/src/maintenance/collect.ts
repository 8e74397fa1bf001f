import { type Collected, collect, unprotectStorages } from '@figbase/revisions'
import { bytesText } from '../bytes-text.js'
import type { Host } from '../main.js'
import { openDatabase } from '../open-database.js'
import { readSettings } from '../settings.js'
import { openInstallation } from './open-installation.js'

export type CollectOptions = {
  json: boolean
  /** After a restore: also collects in storages that the original installation may use. */
  release: boolean
}

/** Deletes unreferenced objects; false when some could not be deleted. */
export async function runCollect(
  { json, release }: CollectOptions,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  await using installation = await openInstallation(settings, host, await database.of('revisions'))
  const { db, graceMs } = installation
  if (release) await unprotectStorages(db)
  const collected = await host.progress('Collecting', () =>
    collect(installation, { graceMs, signal }),
  )
  console.log(json ? JSON.stringify(collected, undefined, 2) : collected.map(lineOf).join('\n'))
  return collected.every(({ failure }) => failure === undefined)
}

function lineOf({ storage, blobs, orphans, isHeld, failure }: Collected): string {
  if (isHeld) {
    return `${storage}: skipped: this installation was restored from a backup, and the original may still use the storage (--release)`
  }
  const deleted = `${counted('unreferenced', blobs)}, ${counted('orphaned', orphans)}`
  return `${storage}: deleted ${deleted}${failure ? `; then failed: ${failure}` : ''}`
}

const counted = (kind: string, { objects, bytes }: Collected['blobs']) =>
  `${objects} ${kind} ${objects === 1 ? 'object' : 'objects'} (${bytesText(bytes)})`
