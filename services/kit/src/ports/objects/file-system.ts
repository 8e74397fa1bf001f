import { createReadStream } from 'node:fs'
import { open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newOrderedId } from '../../ids.js'
import { makeDirectory } from '../../make-directory.js'
import { folderOf, requireKey } from './key.js'
import { ObjectMissing, type ObjectStore, type StoredObject } from './port.js'
import { isProcessGone, processName } from './process-name.js'

const incoming = '.incoming'

/** Objects as files below `root`; a file gets its name when its bytes are on the disk. */
export function createFileSystemStore(root: string): ObjectStore {
  let folder: Promise<string> | undefined

  /** A file of this process among what is coming in. */
  async function openNew() {
    folder ??= processName().then((name) => join(root, incoming, name))
    const temporary = join(await folder, newOrderedId())
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
      const { temporary, file } = await openNew()
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
        if (isMissing(error)) throw new ObjectMissing(key)
        throw error
      }
    },

    async delete(keys) {
      const paths = keys.map((key) => pathOf(root, key))
      for (const path of paths) {
        await unlink(path).catch((error) => {
          if (!isMissing(error)) throw error
        })
        // The folder goes with the last object in it.
        if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => {})
      }
    },

    async sweep() {
      const folder = join(root, incoming)
      try {
        for await (const { name } of await opendir(folder)) {
          if (await isProcessGone(name)) await rm(join(folder, name), { recursive: true })
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
  if (!root) throw new Error('OBJECTS_DIR is not set: there is no object store')
  requireKey(key)
  if (key.split('/')[0] === incoming) throw new Error(`not an object key: ${key}`)
  return join(root, key)
}

async function* walk(root: string, folder: string, begin = ''): AsyncGenerator<StoredObject> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      if (!entry.name.startsWith(begin)) continue
      const key = `${folder}${entry.name}`
      if (entry.isFile()) {
        const object = await look(root, key)
        if (object) yield object
      } else if (key !== incoming) yield* walk(root, `${key}/`)
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Undefined when it went since its name was read. */
async function look(root: string, key: string): Promise<StoredObject | undefined> {
  try {
    const { size, mtime } = await stat(join(root, key))
    return { key, sizeBytes: size, modifiedOn: mtime }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// A folder goes with the last object in it, also just after it was made here.
const placeAttemptsMax = 100

/** Gives a file its name, durably; makes the folders on the way when they are not there. */
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
        // Another removes the folder while it is made.
        if (!isMissing(problem)) throw problem
      })
      if (created) highest = dirname(created)
    }
  }
  await syncFolders(folder, highest)
}

/** Makes the new name, and the folders made for it, survive a loss of power. */
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

/** Also for a key that is a folder to another key, or below one that is no folder. */
const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as { code?: string }).code ?? '')
