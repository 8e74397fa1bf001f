import { link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@figbase/kit/files'
import { codeOf } from '../failure.js'
import { copyFile, forEach, walk } from './files.js'
import type { Counted } from './manifest.js'

export type Copied = Counted & {
  /** Of these, the files that were copied, not linked to the previous copy. */
  written: Counted
}

export type CopyOptions = {
  /** Whether to copy a path below `from`: a file, or a directory with its contents. */
  wants?: (path: string) => boolean
  /** An earlier copy: unchanged files become hard links to it. */
  previous?: string | undefined
  signal: AbortSignal
}

const concurrency = 8

/** Copies the files and directories below a directory; skips sockets and other special files. */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<Copied> {
  const { wants = () => true, previous, signal } = options
  const copied: Copied = { files: 0, bytes: 0, written: { files: 0, bytes: 0 } }
  await makeDirectory(to)
  await forEach(entries(from, to, wants), concurrency, async ({ path }) => {
    signal.throwIfAborted()
    const source = join(from, path)
    const target = join(to, path)
    const before = previous && join(previous, path)
    const linked = before ? await linkSame(source, before, target) : undefined
    const bytes = linked ?? (await copyFile(source, target))
    // The file was removed meanwhile.
    if (bytes === undefined) return
    count(copied, bytes)
    if (linked === undefined) count(copied.written, bytes)
  })
  return copied
}

function count(counted: Counted, bytes: number) {
  counted.files++
  counted.bytes += bytes
}

async function* entries(from: string, to: string, wants: (path: string) => boolean) {
  for await (const entry of walk(from, wants)) {
    if (!wants(entry.path)) continue
    if (entry.kind === 'folder') await makeDirectory(join(to, entry.path))
    else if (entry.kind === 'file') yield entry
  }
}

// Copies have the times of their originals, except for rounding of fractions of a millisecond.
const sameMs = 2

/** Returns the size when the file is unchanged and was linked. */
async function linkSame(source: string, before: string, target: string) {
  const [now, then] = await Promise.all([statOf(source), statOf(before)])
  if (!now || !then || now.size !== then.size) return undefined
  if (Math.abs(now.mtimeMs - then.mtimeMs) >= sameMs) return undefined
  try {
    await link(before, target)
  } catch (error) {
    if (cannotLink.includes(codeOf(error))) return undefined
    throw error
  }
  return now.size
}

/** Error codes of file systems without hard links, and of too many links. */
const cannotLink = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
