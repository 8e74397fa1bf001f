import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory and those above it, for their owner only, and answers the highest that it made. Each
 * is made by itself: `recursive` never ends where a file system refuses as if the parent were missing (/proc).
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  const dir = resolve(path)
  const parent = dirname(dir)
  const highest =
    parent === dir || (await isThere(parent)) ? undefined : await makeDirectory(parent)
  try {
    await mkdir(dir, { mode: 0o700 })
    return highest ?? dir
  } catch (error) {
    if (isCode(error, 'EEXIST') && (await stat(dir)).isDirectory()) return highest
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
