import type { Db } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'
import { ownerOf } from '../domain/object-keys.js'
import {
  beginListing,
  endListing,
  isLive,
  isOpenSegment,
  listLostThumbnails,
  listMissingSegments,
  listMissingThumbnails,
  listUnknownObjects,
  listWrongData,
  listWrongObjects,
  listWrongRefs,
  noteObjects,
  sumBlobs,
  type UnknownObject,
  type WrongObject,
} from '../queries/fsck.js'
import { listAbandoned, listStaleThumbnails, type OwnedKey } from '../queries/objects.js'
import { findFirstThumbnail } from '../queries/thumbnails.js'
import { inBatches } from './batches.js'
import type { Keeping } from './collect.js'
import { listStorages } from './storages.js'
import { verify } from './verify.js'
import { whoseAre } from './whose.js'

/** Something that is not as it should be. */
export type Finding = {
  kind:
    | 'references'
    | 'row'
    | 'thumbnail'
    | 'missing'
    | 'size'
    | 'damaged'
    | 'foreign'
    | 'unreachable'
  storage?: string
  key?: string
  /** For people. */
  text: string
}

export type CheckedStorage = {
  storage: string
  blobs: number
  bytes: number
  /** Blobs that wait for being collected. */
  dead: number
  objects: number
  /** Objects that are nobody's: what interrupted work left, for `collect`. */
  orphans: number
  orphanBytes: number
  /** Whose digests were verified. */
  verified: number
}

export type Fsck = { findings: Finding[]; storages: CheckedStorage[] }

export type FsckOptions = {
  /** Reads all blobs, at most so many bytes a second. */
  verify?: { bytesPerSecond: number } | undefined
  signal?: AbortSignal
}

/** Of each kind: who has more than that has enough to do. */
const findingsMax = 1000
const batch = 1000

/**
 * Compares rows, blobs and objects both ways, and changes nothing. While others write, what looks wrong is
 * looked at once more before it is told.
 */
export async function fsck(keeping: Keeping, options: FsckOptions = {}): Promise<Fsck> {
  const report: Fsck = { findings: [], storages: [] }
  await checkRows(keeping.db, report)
  for (const storage of await listStorages(keeping.db)) {
    options.signal?.throwIfAborted()
    const checked = { storage, ...none, ...(await summary(keeping.db, storage)) }
    report.storages.push(checked)
    try {
      await keeping.db
        .connection()
        .execute((session) => checkObjects(keeping, session, checked, report, options))
      if (options.verify) await verify(keeping, checked, report, options.verify, options.signal)
    } catch (error) {
      options.signal?.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      const text = `the storage ${storage} could not be checked to the end: ${why}`
      report.findings.push({ kind: 'unreachable', storage, text })
    }
  }
  return report
}

const none = { objects: 0, orphans: 0, orphanBytes: 0, verified: 0 }

async function summary(db: Db, storage: string) {
  const { live, bytes, dead } = await sumBlobs(db, storage)
  return { blobs: live, bytes, dead }
}

async function checkRows(db: Db, { findings }: Fsck): Promise<void> {
  for (const { key, refs, counted } of await listWrongRefs(db, findingsMax)) {
    const text = `the blob ${key} counts ${refs} references, and there are ${counted}`
    findings.push({ kind: 'references', key, text })
  }
  for (const { id, revision_id, key } of await listWrongData(db, findingsMax)) {
    const text = `data ${id} of revision ${revision_id} has another size or hash than its blob ${key}`
    findings.push({ kind: 'row', key, text })
  }
  for (const id of await listLostThumbnails(db, findingsMax)) {
    const text = `the thumbnail of revision ${id} shows data that the revision does not have`
    findings.push({ kind: 'thumbnail', text })
  }
}

async function checkObjects(
  keeping: Keeping,
  session: Db,
  checked: CheckedStorage,
  report: Fsck,
  { signal }: FsckOptions,
): Promise<void> {
  const { stores } = keeping
  const { storage } = checked
  await beginListing(session)
  for await (const objects of inBatches(stores.of(storage).list(''), batch)) {
    signal?.throwIfAborted()
    checked.objects += objects.length
    await noteObjects(session, objects)
  }
  await endListing(session)
  for (const wrong of await listWrongObjects(session, storage, findingsMax)) {
    const finding = await lookAgain(keeping, storage, wrong)
    if (finding) report.findings.push(finding)
  }
  if (storage === defaultStorage) {
    await checkThumbnails(keeping, session, report)
    await checkSegments(keeping, session, report)
  }
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    const unknown = await listUnknownObjects(session, storage, after, batch)
    await sortOut(keeping.db, unknown, checked, report)
    const last = unknown.at(-1)
    if (!last || unknown.length < batch) return
    after = last.key
  }
}

/** What was listed and what the rows say are not of one moment. */
async function lookAgain(
  { db, stores }: Keeping,
  storage: string,
  { blob_id, key, size_bytes }: WrongObject,
): Promise<Finding | undefined> {
  const stored = await sizeOf(stores.of(storage), key)
  if (stored === Number(size_bytes) || !(await isLive(db, blob_id))) return undefined
  const whose = await whoseAre(db, blob_id)
  if (stored === undefined) {
    const text = `the object ${key} (${size_bytes} bytes) is not there: it is ${whose}`
    return { kind: 'missing', storage, key, text }
  }
  const text = `the object ${key} has ${stored} bytes in place of ${size_bytes}: it is ${whose}`
  return { kind: 'size', storage, key, text }
}

async function sizeOf(store: ReturnType<Keeping['stores']['of']>, key: string) {
  for await (const object of store.list(key)) if (object.key === key) return object.sizeBytes
  return undefined
}

async function checkThumbnails({ db, stores }: Keeping, session: Db, { findings }: Fsck) {
  for (const { revision_id, key } of await listMissingThumbnails(session, findingsMax)) {
    const isThere = (await sizeOf(stores.of(defaultStorage), key)) !== undefined
    if (isThere || (await findFirstThumbnail(db, [revision_id])).thumbnail?.key !== key) continue
    const text = `the thumbnail ${key} of revision ${revision_id} is not there`
    findings.push({ kind: 'thumbnail', storage: defaultStorage, key, text })
  }
}

async function checkSegments({ db, stores }: Keeping, session: Db, { findings }: Fsck) {
  for (const { upload_id, key } of await listMissingSegments(session, findingsMax)) {
    const isThere = (await sizeOf(stores.of(defaultStorage), key)) !== undefined
    if (isThere || !(await isOpenSegment(db, key))) continue
    const text = `the object ${key} is not there: it is part of the resumable upload ${upload_id}`
    findings.push({ kind: 'missing', storage: defaultStorage, key, text })
  }
}

/** Objects that are no blob's: of something that goes on, nobody's, or not ours. */
async function sortOut(
  db: Db,
  unknown: UnknownObject[],
  checked: CheckedStorage,
  { findings }: Fsck,
): Promise<void> {
  const { storage } = checked
  const owned: OwnedKey[] = []
  for (const { key } of unknown) {
    const owner = ownerOf(key)
    if (owner) owned.push({ key, owner })
    // In a bucket of somebody else there may be anything.
    else if (storage === defaultStorage) {
      findings.push({ kind: 'foreign', storage, key, text: `the object ${key} is not Figbase's` })
    }
  }
  const abandoned = await listAbandoned(db, storage, owned)
  const stale = await listStaleThumbnails(db, owned)
  const orphans = new Set([...abandoned, ...stale.map(({ key }) => key)])
  checked.orphans += orphans.size
  for (const { key, size_bytes } of unknown) {
    if (orphans.has(key)) checked.orphanBytes += Number(size_bytes)
  }
}
