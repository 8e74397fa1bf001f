import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { newOrderedId } from '../../ids.js'
import { ObjectMissing, type ObjectStore } from './port.js'

const keyPattern = /^[\w.-]+(\/[\w.-]+)*$/
const incoming = '.incoming'

/** Objects as files below `root`; a file gets its name when its bytes are on the disk. */
export function createFileSystemStore(root: string): ObjectStore {
  return {
    async put(key, bytes) {
      const target = pathOf(root, key)
      const folder = join(root, incoming)
      const temporary = join(folder, newOrderedId())
      await mkdir(folder, { recursive: true })
      await mkdir(dirname(target), { recursive: true })
      const file = await open(temporary, 'wx', 0o600)
      try {
        for await (const chunk of bytes) await file.writeFile(chunk)
        await file.datasync()
        await file.close()
        await rename(temporary, target)
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(dirname(target))
    },

    async *get(key) {
      try {
        yield* createReadStream(pathOf(root, key), {
          highWaterMark: 256 * 1024,
        })
      } catch (error) {
        if (isMissing(error)) throw new ObjectMissing(key)
        throw error
      }
    },

    async delete(keys) {
      for (const key of keys) await rm(pathOf(root, key), { force: true })
    },

    async *list(prefix) {
      const folder = join(root, prefix)
      try {
        const entries = await readdir(folder, {
          recursive: true,
          withFileTypes: true,
        })
        for (const entry of entries) {
          if (!entry.isFile()) continue
          yield relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
        }
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
  }
}

function pathOf(root: string, key: string) {
  if (!keyPattern.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Error(`not an object key: ${key}`)
  }
  return join(root, key)
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT'
