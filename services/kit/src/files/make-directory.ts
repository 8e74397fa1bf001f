import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a directory and its missing parents, accessible to their owner only, and returns the topmost one that it
 * created. Not `recursive`, which never ends on a file system that reports the parent as missing (/proc).
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  const dir = resolve(path)
  const parent = dirname(dir)
  const highest =
    parent === dir || (await pathExists(parent)) ? undefined : await makeDirectory(parent)
  try {
    await mkdir(dir, { mode: 0o700 })
    return highest ?? dir
  } catch (error) {
    if (isCode(error, 'EEXIST') && (await stat(dir)).isDirectory()) return highest
    throw error
  }
}

async function pathExists(path: string): Promise<boolean> {
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
