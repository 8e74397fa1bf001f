import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createS3Store, ObjectNotFound, type ObjectStore } from '@figbase/kit/objects/client'
import { deployment } from './deployment.js'

/** Finds objects in the object store that begin with these bytes. */
export function findStoredObjects(prefix: Buffer): Promise<string[]> {
  return deployment.s3 ? findOnS3(createS3Store(deployment.s3), prefix) : findFiles(prefix)
}

// The first bytes by key. Objects are immutable, so each is read once.
const prefixes = new Map<string, Buffer>()
const prefixBytesMax = 64

async function findOnS3(store: ObjectStore, prefix: Buffer) {
  const found: string[] = []
  for await (const { key, sizeBytes } of store.list('')) {
    if (sizeBytes < prefix.length) continue
    const known = prefixes.get(key) ?? (await prefixOf(store, key))
    prefixes.set(key, known)
    if (prefix.equals(known.subarray(0, prefix.length))) found.push(key)
  }
  return found
}

/** Empty for an object that has been deleted meanwhile. */
async function prefixOf(store: ObjectStore, key: string) {
  const chunks: Uint8Array[] = []
  try {
    const range = { offset: 0, length: prefixBytesMax }
    for await (const chunk of store.get(key, range)) chunks.push(chunk)
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error
  }
  return Buffer.concat(chunks)
}

async function findFiles(prefix: Buffer) {
  const root = join(deployment.dataDir ?? '', 'objects')
  const entries = await entriesBelow(root)
  const files = entries.filter((entry) => entry.isFile())
  const found: string[] = []
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    if (prefix.equals(await fileStart(path, prefix.length))) found.push(path)
  }
  return found
}
/** Retries if a folder disappears while it is read: folders are deleted with their last object. */
async function entriesBelow(root: string) {
  const attemptsMax = 100
  for (let attempt = 1; ; attempt++) {
    try {
      return await readdir(root, { recursive: true, withFileTypes: true })
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT' || attempt === attemptsMax) throw error
    }
  }
}

/** Finds objects that remain after the server has had time to delete rejected data. */
export async function findRemainingObjects(prefix: Buffer): Promise<string[]> {
  const deadline = Date.now() + CLEANUP_MS_MAX
  for (;;) {
    const found = await findStoredObjects(prefix)
    if (found.length === 0 || Date.now() > deadline) return found
    await delay(50)
  }
}

const CLEANUP_MS_MAX = 5_000

/** Empty for a file that has been deleted meanwhile, since other tests run at the same time. */
async function fileStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
