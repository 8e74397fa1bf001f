import { type Collected, collect, releaseStorages } from '@figbase/revisions'
import { bytesText } from '../backup/format.js'
import type { Host } from '../main.js'
import { openDatabase } from '../open-database.js'
import { readSettings } from '../settings.js'
import { openInstallation } from './open.js'

export type CollectCommand = {
  name: 'collect'
  json: boolean
  /** Also where what this one was restored from may still keep what is its own. */
  release: boolean
}

/** Removes what is nobody's now; false when some of it could not be removed. */
export async function runCollect(
  { json, release }: CollectCommand,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  await using keeping = await openInstallation(settings, host, await database.of('revisions'))
  const { db, graceMs } = keeping
  if (release) await releaseStorages(db)
  const collected = await host.progress('Collecting', () => collect(keeping, { graceMs, signal }))
  console.log(json ? JSON.stringify(collected, undefined, 2) : collected.map(lineOf).join('\n'))
  return collected.every(({ failure }) => failure === undefined)
}

function lineOf({ storage, blobs, orphans, isHeld, failure }: Collected): string {
  if (isHeld) {
    return `${storage}: left alone, since this was restored from a backup, and what that was of may still use it (--release)`
  }
  const removed = `${counted(blobs, 'that nothing referred to any more')}, ${counted(orphans, 'that no row knew')}`
  return `${storage}: removed ${removed}${failure ? `; then it failed: ${failure}` : ''}`
}

const counted = ({ objects, bytes }: Collected['blobs'], what: string) =>
  `${objects} ${objects === 1 ? 'object' : 'objects'} (${bytesText(bytes)}) ${what}`
