import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, Failure } from '../failure.js'

export type Counted = { files: number; bytes: number }

/** What a backup says of itself; written last of all that is in it. */
export type Manifest = {
  format: 1
  /** ISO 8601: what was acknowledged before that moment is in it. */
  madeOn: string
  /** As Node.js names it: the files of a database are of one platform. */
  platform: string
  /** PostgreSQL's number for the database: backups of one installation share it. */
  installation: string
  database: Counted & {
    /** The major version of its PostgreSQL. */
    postgres: string
    /** The end marker of the backup in the write-ahead log. */
    end: string
  }
  /** Null: they are in a store elsewhere, which is not part of the backup. */
  objects: Counted | null
  /** The secret key and whatever else is in the data directory. */
  files: Counted
}

export const manifestName = 'manifest.json'

/** Throws a Failure for what is no whole backup. */
export async function readManifest(backup: string): Promise<Manifest> {
  const file = join(backup, manifestName)
  const text = await readFile(file, 'utf8').catch((error) => {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
    throw new Failure(
      `${backup} is not a backup, or one that was interrupted`,
      'A whole one is a directory named by a time, with a manifest.json in it.',
    )
  })
  const manifest = parsed(text)
  if (manifest) return manifest
  throw new Failure(`${file} is damaged, or of a newer Figbase`, 'Choose another backup.')
}

function parsed(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isManifest(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  value.format === 1 &&
  [value.madeOn, value.platform, value.installation].every((one) => typeof one === 'string') &&
  isCounted(value.database) &&
  isCounted(value.files) &&
  (value.objects === null || isCounted(value.objects)) &&
  [value.database.postgres, value.database.end].every((one) => typeof one === 'string')

const isCounted = (value: unknown): value is Counted & Record<string, unknown> =>
  isObject(value) && typeof value.files === 'number' && typeof value.bytes === 'number'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
