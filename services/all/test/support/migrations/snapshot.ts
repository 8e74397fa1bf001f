import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Migration } from '@figbase/kit/db'
import type { Dump } from './dump.js'

/** Snapshot of the last released version, which must be able to run beside the current one. */
export type Snapshot = {
  version: string
  schemas: SnapshotSchema[]
  dump: Dump
  known: Known
}

export type SnapshotSchema = {
  name: string
  migrations: Migration[]
  /** Constraints that the service uses in error handling, by name. */
  constraints: string[]
  /** SQL statements of its processes. */
  statements: string[]
}

/** Data in the dump that the tests look for. */
export type Known = {
  secretKey: string
  username: string
  password: string
  workspace: string
  figure: string
  revision: string
}

export const snapshotFile: string = fileURLToPath(
  new URL('../../../../../../test/snapshot/snapshot.json.gz', import.meta.url),
)

export async function readSnapshot(): Promise<Snapshot> {
  const snapshot: Snapshot = JSON.parse(gunzipSync(await readFile(snapshotFile)).toString())
  return snapshot
}
