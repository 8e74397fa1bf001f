import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { UploadStore } from '@figbase/client'
import { cacheDir } from './profiles.js'

/** More are unlikely to be unfinished. */
const uploadsMax = 1000

/** Unfinished uploads in a file of this user, so that an interrupted command can go on with them. */
export function storedUploads(
  server: string,
  file = join(cacheDir(), 'uploads.json'),
): UploadStore {
  const keyOf = (target: object, hash: string) => [server, ...Object.values(target), hash].join(' ')
  return {
    get: (target, hash) => readUploads(file)[keyOf(target, hash)],
    set(target, hash, url) {
      const { [keyOf(target, hash)]: before, ...others } = readUploads(file)
      if (before === url) return
      const newest = Object.entries(others).slice(1 - uploadsMax)
      writeUploads(file, { ...Object.fromEntries(newest), [keyOf(target, hash)]: url })
    },
  }
}

/** A file that cannot be read costs an upload from the start. */
function readUploads(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Synchronous, so that several uploads at once do not overwrite each other. */
function writeUploads(file: string, uploads: Record<string, string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(uploads), { mode: 0o600 })
  renameSync(temporary, file)
}
