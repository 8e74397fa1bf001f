import { type FileHandle, open, opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../failure.js'

const pieceBytes = 1024 * 1024

/**
 * Copies a file, which may be written to meanwhile; the copy is on disk when the promise resolves. Returns its size, or
 * undefined when the file does not exist.
 */
export async function copyFile(from: string, to: string): Promise<number | undefined> {
  const source = await openIfExists(from)
  if (!source) return undefined
  try {
    const { size, atime, mtime } = await source.stat()
    const target = await open(to, 'wx', 0o600)
    try {
      const bytes = await pump(source, target, Math.min(size + 1, pieceBytes))
      await target.utimes(atime, mtime)
      await target.sync()
      return bytes
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function pump(source: FileHandle, target: FileHandle, bufferBytes: number) {
  const buffer = Buffer.allocUnsafe(bufferBytes)
  for (let bytes = 0; ; ) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes)
    if (bytesRead === 0) return bytes
    await target.writeFile(buffer.subarray(0, bytesRead))
    bytes += bytesRead
  }
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Creates a file; its content is on disk when the promise resolves. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

export type Entry = { path: string; kind: 'file' | 'folder' | 'link' | 'other' }

/**
 * Lists everything below a directory, by relative paths, directories before their contents. Skips entries that are
 * removed meanwhile; `enters` decides which directories are traversed.
 */
export async function* walk(
  root: string,
  enters: (path: string) => boolean = () => true,
  folder = '',
): AsyncGenerator<Entry> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        yield { path, kind: 'folder' }
        if (enters(path)) yield* walk(root, enters, path)
      } else {
        const other = entry.isSymbolicLink() ? 'link' : 'other'
        yield { path, kind: entry.isFile() ? 'file' : other }
      }
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Syncs a directory and all directories below it, so that their entries survive a power failure. */
export async function syncFolders(root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(root, entry.name))
  }
  await syncFolder(root)
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Processes all items with limited concurrency; after a failure, waits for the running ones and throws. */
export async function forEach<T>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  let failure: { error: unknown } | undefined
  const worker = async () => {
    while (!failure) {
      const next = await iterator.next()
      if (next.done) return
      await work(next.value)
    }
  }
  const workers = Array.from({ length: concurrency }, () =>
    worker().catch((error: unknown) => {
      failure ??= { error }
    }),
  )
  await Promise.all(workers)
  if (!failure) return
  await iterator.return?.()
  throw failure.error
}
