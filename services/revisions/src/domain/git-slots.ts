import { createHash } from 'node:crypto'

/** What belongs to a path of a repository. The path of an analysis is a folder, that of a figure has no extension. */
export type SlotKind = 'analysis' | 'figure' | 'asset'

export type FileRole = 'image' | 'code' | 'shared_code' | 'data' | 'description'

export type SlotFile = { role: FileRole; path: string; blob: string }

/** What a revision is made of. */
export type SlotContent = {
  files: SlotFile[]
  /** That of the rules, in place of a file. */
  description?: string | undefined
}

/**
 * Equal if no new revision is needed. Paths do not count, so a renamed file is no change; nor does code that several
 * figures share, because a change of one figure would be one of all.
 */
export function contentKey({ files, description = '' }: SlotContent): string {
  const own = files.filter(({ role }) => role !== 'shared_code')
  const blobs = own.map(({ role, blob }) => `${role} ${blob}`)
  return createHash('sha256')
    .update(JSON.stringify([blobs, description]))
    .digest('hex')
}

/** What an import has found. */
export type ImportTotals = { figures: number; assets: number; refused: number }

export const noTotals: ImportTotals = { figures: 0, assets: 0, refused: 0 }

/** What an import has changed. The numbers of changed and of renamed slots do not include created ones. */
export type ImportChanges = {
  figuresCreated: number
  figuresChanged: number
  figuresRenamed: number
  assetsCreated: number
  assetsChanged: number
  assetsRenamed: number
}

export const noChanges: ImportChanges = {
  figuresCreated: 0,
  figuresChanged: 0,
  figuresRenamed: 0,
  assetsCreated: 0,
  assetsChanged: 0,
  assetsRenamed: 0,
}

export type ImportCounts = ImportTotals & ImportChanges
