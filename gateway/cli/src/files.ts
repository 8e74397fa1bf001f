import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RandomAccess } from '@figbase/client'
import { usageError } from './failure.js'

export type LocalFile = { name: string; source: RandomAccess }

/** A file of this machine that is read in parts. */
export async function openFile(path: string): Promise<LocalFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(error.code === 'ENOENT' ? `${path} does not exist` : error.message)
  })
  if (!found.isFile()) throw usageError(`${path} is not a file`)
  const { size } = found
  const read = async (start: number, end: number) => {
    await using file = await open(path)
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    if (bytesRead < bytes.length) throw new Error(`${path} became shorter while it was read`)
    return bytes
  }
  return { name: basename(path), source: { size, read } }
}
