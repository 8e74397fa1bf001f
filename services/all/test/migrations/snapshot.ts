import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Migration } from '@figbase/kit'
import type { Dump } from './dump.js'

/** What is known of the version that was released last, whose processes this one must work beside. */
export type Snapshot = {
  version: string
  schemas: SnapshotSchema[]
  dump: Dump
  known: Known
}

export type SnapshotSchema = {
  name: string
  migrations: Migration[]
  /** Constraints by whose names its service knows what is wrong. */
  constraints: string[]
  /** What its processes ask. */
  statements: string[]
}

/** What is in the dump for the product to find again. */
export type Known = {
  secretKey: string
  username: string
  password: string
  workspace: string
  figure: string
  revision: string
}

export const snapshotFile: string = fileURLToPath(
  new URL('../../../../../test/snapshot/snapshot.json.gz', import.meta.url),
)

export async function readSnapshot(): Promise<Snapshot> {
  const snapshot: Snapshot = JSON.parse(gunzipSync(await readFile(snapshotFile)).toString())
  return snapshot
}
