import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createS3Store, ObjectMissing, type ObjectStore } from '@figbase/kit/objects'
import { deployment } from './deployment.js'

/** Objects of the deployment's store whose content begins with these bytes; its layout does not matter. */
export function keptObjects(opening: Buffer): Promise<string[]> {
  return deployment.s3 ? keptOnS3(createS3Store(deployment.s3), opening) : keptFiles(opening)
}

// An object does not change: it is looked into once, while others run beside this test.
const openings = new Map<string, Buffer>()
const openingBytesMax = 64

async function keptOnS3(store: ObjectStore, opening: Buffer) {
  const kept: string[] = []
  for await (const { key, sizeBytes } of store.list('')) {
    if (sizeBytes < opening.length) continue
    const known = openings.get(key) ?? (await openingOf(store, key))
    openings.set(key, known)
    if (opening.equals(known.subarray(0, opening.length))) kept.push(key)
  }
  return kept
}

/** Empty for an object that is gone meanwhile. */
async function openingOf(store: ObjectStore, key: string) {
  const chunks: Uint8Array[] = []
  try {
    const range = { offset: 0, length: openingBytesMax }
    for await (const chunk of store.get(key, range)) chunks.push(chunk)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  return Buffer.concat(chunks)
}

async function keptFiles(opening: Buffer) {
  const root = join(deployment.dataDir ?? '', 'objects')
  const entries = await entriesBelow(root)
  const files = entries.filter((entry) => entry.isFile())
  const kept: string[] = []
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    if (opening.equals(await beginningOf(path, opening.length))) kept.push(path)
  }
  return kept
}
/** A folder goes with the last object in it, also while it is read. */
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

/** What is still kept when the server has had its time to drop what it refused. */
export async function keptInTheEnd(opening: Buffer): Promise<string[]> {
  const deadline = Date.now() + DROPPING_MS_MAX
  for (;;) {
    const kept = await keptObjects(opening)
    if (kept.length === 0 || Date.now() > deadline) return kept
    await delay(50)
  }
}

const DROPPING_MS_MAX = 5_000

/** Empty for a file that is gone meanwhile: others run beside this test. */
async function beginningOf(path: string, length: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
