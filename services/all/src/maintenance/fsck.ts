import { type CheckedStorage, type Fsck, fsck } from '@figbase/revisions'
import { bytesText } from '../bytes-text.js'
import type { Host } from '../main.js'
import { openDatabase } from '../open-database.js'
import { readSettings } from '../settings.js'
import { openInstallation } from './open-installation.js'

export type FsckOptions = {
  json: boolean
  /** Reads all objects, at this rate at most. */
  verify?: { bytesPerSecond: number }
}

/** Compares rows and objects; false when there are problems. */
export async function runFsck(
  { json, verify }: FsckOptions,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  await using installation = await openInstallation(settings, host, await database.of('revisions'))
  const report = await host.progress('Checking', () => fsck(installation, { verify, signal }))
  console.log(json ? JSON.stringify(report, undefined, 2) : textOf(report))
  return report.findings.length === 0
}

export function textOf({ findings, storages }: Fsck): string {
  const problems = findings.map(({ text }) => `  ${text}`)
  const { length: count } = findings
  const summary =
    count === 0 ? 'no problems found' : `${count} ${count === 1 ? 'problem' : 'problems'} found:`
  return [...storages.map(lineOf), summary, ...problems].join('\n')
}

function lineOf(checked: CheckedStorage): string {
  const { storage, blobs, bytes, objects, dead, orphans, orphanBytes, verified } = checked
  const parts = [`${blobs} blobs (${bytesText(bytes)})`, `${objects} objects`]
  if (verified > 0) parts.push(`${verified} read and verified`)
  if (dead > 0) parts.push(`${dead} unreferenced blobs to collect`)
  if (orphans > 0) parts.push(`${orphans} orphaned objects (${bytesText(orphanBytes)}) to collect`)
  return `${storage}: ${parts.join(', ')}`
}
