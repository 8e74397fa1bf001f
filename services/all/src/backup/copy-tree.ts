import { link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@figbase/kit'
import { codeOf } from '../failure.js'
import { copyFile, forEach, walk } from './files.js'
import type { Counted } from './manifest.js'

export type Copied = Counted & {
  /** Of these, what was not there before. */
  fresh: Counted
}

export type CopyOptions = {
  /** Whether something below `from` is wanted: a directory with all in it, or a file. */
  wants?: (path: string) => boolean
  /** A directory as an earlier copy made it: files that are the same since then take no space once more. */
  previous?: string | undefined
  signal: AbortSignal
}

const atATime = 8

/** Copies the files below a directory, and the directories; sockets and the like are left out. */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<Copied> {
  const { wants = () => true, previous, signal } = options
  const copied: Copied = { files: 0, bytes: 0, fresh: { files: 0, bytes: 0 } }
  await makeDirectory(to)
  await forEach(entries(from, to, wants), atATime, async ({ path }) => {
    signal.throwIfAborted()
    const source = join(from, path)
    const target = join(to, path)
    const before = previous && join(previous, path)
    const linked = before ? await linkSame(source, before, target) : undefined
    const bytes = linked ?? (await copyFile(source, target))
    // Removed since it was seen.
    if (bytes === undefined) return
    count(copied, bytes)
    if (linked === undefined) count(copied.fresh, bytes)
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

// Copies have the times of their originals, but for what a millisecond's fraction becomes on the way.
const sameMs = 2

/** Answers its bytes when the file is what it was before. */
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

/** File systems without hard links, and one link too many. */
const cannotLink = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
