import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { makeDirectory } from '@figbase/kit/files'

/** Writes a file atomically and durably, readable by its owner only; replaces an existing one. */
export async function writeSecret(path: string, text: string): Promise<void> {
  const target = resolve(path)
  const temporary = `${target}.${randomUUID()}`
  await makeDirectory(dirname(target))
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export const removeSecret = (path: string): Promise<void> => rm(path, { force: true })
