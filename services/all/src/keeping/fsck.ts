import { type CheckedStorage, type Fsck, fsck } from '@figbase/revisions'
import { bytesText } from '../backup/format.js'
import type { Host } from '../main.js'
import { openDatabase } from '../open-database.js'
import { readSettings } from '../settings.js'
import { openInstallation } from './open.js'

export type FsckCommand = {
  name: 'fsck'
  json: boolean
  /** Reads all bytes, at most so many a second. */
  verify?: { bytesPerSecond: number }
}

/** Compares rows and objects; false when something is not as it should be. */
export async function runFsck(
  { json, verify }: FsckCommand,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  await using keeping = await openInstallation(settings, host, await database.of('revisions'))
  const report = await host.progress('Checking', () => fsck(keeping, { verify, signal }))
  console.log(json ? JSON.stringify(report, undefined, 2) : textOf(report))
  return report.findings.length === 0
}

export function textOf({ findings, storages }: Fsck): string {
  const problems = findings.map(({ text }) => `  ${text}`)
  const verdict =
    findings.length === 0
      ? 'all is as it should be'
      : findings.length === 1
        ? 'one thing is not as it should be:'
        : `${findings.length} things are not as they should be:`
  return [...storages.map(lineOf), verdict, ...problems].join('\n')
}

function lineOf(checked: CheckedStorage): string {
  const { storage, blobs, bytes, objects, dead, orphans, orphanBytes, verified } = checked
  const parts = [`${blobs} blobs (${bytesText(bytes)})`, `${objects} objects`]
  if (verified > 0) parts.push(`${verified} read and verified`)
  if (dead > 0) parts.push(`${dead} blobs wait for being collected`)
  if (orphans > 0)
    parts.push(`${orphans} objects (${bytesText(orphanBytes)}) are nobody's: collect removes them`)
  return `${storage}: ${parts.join(', ')}`
}
