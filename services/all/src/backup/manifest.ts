import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, Failure } from '../failure.js'

export type Counted = { files: number; bytes: number }

/** Description of a backup; written last, so that it marks the backup as complete. */
export type Manifest = {
  format: 1
  /** ISO 8601; the backup contains all that was acknowledged before. */
  madeOn: string
  /** Platform and architecture by the names of Node.js: database files are not portable. */
  platform: string
  /** PostgreSQL's system identifier, the same in all backups of an installation. */
  installation: string
  database: Counted & {
    /** The major version of PostgreSQL. */
    postgres: string
    /** The end marker of the backup in the write-ahead log. */
    end: string
  }
  /** Null when the objects are in an external store and not part of the backup. */
  objects: Counted | null
  /** The secret key and the other files of the data directory. */
  files: Counted
  /** The files of notebooks, by instance; null or absent: they are not part of the backup. */
  volumes?: Counted | null
}

export const manifestName = 'manifest.json'

/** Throws a Failure when the directory is not a complete backup. */
export async function readManifest(backup: string): Promise<Manifest> {
  const file = join(backup, manifestName)
  const text = await readFile(file, 'utf8').catch((error) => {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
    throw new Failure(
      `${backup} is not a complete backup`,
      'Choose a directory named by a time, with a manifest.json in it.',
    )
  })
  const manifest = parsed(text)
  if (manifest) return manifest
  throw new Failure(
    `${file} is damaged, or was written by a newer Figbase`,
    'Choose another backup.',
  )
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
  (value.volumes === undefined || value.volumes === null || isCounted(value.volumes)) &&
  (value.objects === null || isCounted(value.objects)) &&
  [value.database.postgres, value.database.end].every((one) => typeof one === 'string')

const isCounted = (value: unknown): value is Counted & Record<string, unknown> =>
  isObject(value) && typeof value.files === 'number' && typeof value.bytes === 'number'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
