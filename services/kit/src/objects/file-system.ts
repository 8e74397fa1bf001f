import { createReadStream } from 'node:fs'
import { open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../files/make-directory.js'
import { newOrderedId } from '../ids.js'
import { isProcessGone, processName } from '../processes/process-name.js'
import { folderOf, requireKey } from './key.js'
import { ObjectNotFound, type ObjectStore, type StoredObject } from './port.js'

const incoming = '.incoming'

/** Stores objects as files below `root`; a file is renamed to its name after its bytes are on disk. */
export function createFileSystemStore(root: string): ObjectStore {
  let folder: string | undefined

  /** Creates a temporary file in this process's folder of incoming files. */
  async function createTemporary() {
    folder ??= join(root, incoming, processName())
    const temporary = join(folder, newOrderedId())
    const create = () => open(temporary, 'wx', 0o600)
    const file = await create().catch(async (error) => {
      if (!isMissing(error)) throw error
      await makeDirectory(dirname(temporary))
      return create()
    })
    return { temporary, file }
  }

  return {
    async put(key, bytes) {
      const target = pathOf(root, key)
      const { temporary, file } = await createTemporary()
      try {
        for await (const chunk of bytes) await file.writeFile(chunk)
        await file.datasync()
        await file.close()
        await place(temporary, target)
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true })
        throw error
      }
    },

    async *get(key, range) {
      const path = pathOf(root, key)
      const part = range && { start: range.offset, end: range.offset + range.length - 1 }
      try {
        yield* createReadStream(path, { highWaterMark: 256 * 1024, ...part })
      } catch (error) {
        if (isMissing(error)) throw new ObjectNotFound(key)
        throw error
      }
    },

    async delete(keys) {
      const paths = keys.map((key) => pathOf(root, key))
      for (const path of paths) {
        await unlink(path).catch((error) => {
          if (!isMissing(error)) throw error
        })
        // Remove the folder if it is empty.
        if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => {})
      }
    },

    async sweep() {
      const folder = join(root, incoming)
      try {
        for await (const { name } of await opendir(folder)) {
          if (isProcessGone(name)) await rm(join(folder, name), { recursive: true })
        }
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    async *list(prefix) {
      const folder = folderOf(prefix)
      if (folder) pathOf(root, folder.slice(0, -1))
      yield* walk(root, folder, prefix.slice(folder.length))
    },
  }
}

function pathOf(root: string, key: string) {
  if (!root) throw new Error('no object store: set OBJECTS_DIR')
  requireKey(key)
  if (key.split('/')[0] === incoming) throw new Error(`invalid object key: ${key}`)
  return join(root, key)
}

async function* walk(root: string, folder: string, begin = ''): AsyncGenerator<StoredObject> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      if (!entry.name.startsWith(begin)) continue
      const key = `${folder}${entry.name}`
      if (entry.isFile()) {
        const object = await statObject(root, key)
        if (object) yield object
      } else if (key !== incoming) yield* walk(root, `${key}/`)
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Undefined if it was deleted since the directory was read. */
async function statObject(root: string, key: string): Promise<StoredObject | undefined> {
  try {
    const { size, mtime } = await stat(join(root, key))
    return { key, sizeBytes: size, modifiedOn: mtime }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// Concurrent deletions may remove a folder that was just created here.
const placeAttemptsMax = 100

/** Renames a file to its name, durably, and creates missing folders. */
async function place(temporary: string, target: string) {
  const folder = dirname(target)
  let highest = folder
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(temporary, target)
      break
    } catch (error) {
      if (!isMissing(error) || attempt === placeAttemptsMax) throw error
      const created = await makeDirectory(folder).catch((problem) => {
        // A concurrent deletion removed a parent folder.
        if (!isMissing(problem)) throw problem
      })
      if (created) highest = dirname(created)
    }
  }
  await syncFolders(folder, highest)
}

/** Makes the new name and the created folders survive a power failure. */
async function syncFolders(lowest: string, highest: string) {
  for (let path = lowest; ; path = dirname(path)) {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
    if (path === highest || path === dirname(path)) return
  }
}

/** Also true for a key that is a folder, or below a file. */
const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as { code?: string }).code ?? '')
