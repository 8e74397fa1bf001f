import { exportsPrefix } from '@figbase/kit/objects'
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
  recordObjects,
  sumBlobs,
  type UnknownObject,
  type WrongObject,
} from '../queries/fsck.js'
import { listAbandoned, listStaleThumbnails, type OwnedKey } from '../queries/objects.js'
import { findFirstThumbnail } from '../queries/thumbnails.js'
import { inBatches } from './batches.js'
import type { Maintenance } from './collect.js'
import { describeOwners } from './owners.js'
import { listStorages } from './storages.js'
import { verify } from './verify.js'

/** An inconsistency. */
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
  /** A description for operators. */
  text: string
}

export type CheckedStorage = {
  storage: string
  blobs: number
  bytes: number
  /** Blobs that will be collected. */
  dead: number
  objects: number
  /** Objects that interrupted work left. They will be collected. */
  orphans: number
  orphanBytes: number
  /** Blobs with a verified digest. */
  verified: number
}

export type Fsck = { findings: Finding[]; storages: CheckedStorage[] }

export type FsckOptions = {
  /** Reads all blobs and verifies their digests, with at most this rate. */
  verify?: { bytesPerSecond: number } | undefined
  signal?: AbortSignal
}

/** Per kind, to limit the report. */
const findingsMax = 1000
const batch = 1000

/**
 * Compares rows, blobs and objects in both directions, and changes nothing. Other processes may write
 * meanwhile, so each problem is checked once more before it is reported.
 */
export async function fsck(maintenance: Maintenance, options: FsckOptions = {}): Promise<Fsck> {
  const report: Fsck = { findings: [], storages: [] }
  await checkRows(maintenance.db, report)
  for (const storage of await listStorages(maintenance.db)) {
    options.signal?.throwIfAborted()
    const checked = { storage, ...none, ...(await summary(maintenance.db, storage)) }
    report.storages.push(checked)
    try {
      await maintenance.db
        .connection()
        .execute((session) => checkObjects(maintenance, session, checked, report, options))
      if (options.verify) await verify(maintenance, checked, report, options.verify, options.signal)
    } catch (error) {
      options.signal?.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      const text = `checking storage ${storage} failed: ${why}`
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
    const text = `blob ${key} has a reference count of ${refs} instead of ${counted}`
    findings.push({ kind: 'references', key, text })
  }
  for (const { id, revision_id, key } of await listWrongData(db, findingsMax)) {
    const text = `data ${id} of revision ${revision_id} differs from its blob ${key} in size or hash`
    findings.push({ kind: 'row', key, text })
  }
  for (const id of await listLostThumbnails(db, findingsMax)) {
    const text = `the thumbnail of revision ${id} refers to data that the revision does not have`
    findings.push({ kind: 'thumbnail', text })
  }
}

async function checkObjects(
  maintenance: Maintenance,
  session: Db,
  checked: CheckedStorage,
  report: Fsck,
  { signal }: FsckOptions,
): Promise<void> {
  const { stores } = maintenance
  const { storage } = checked
  await beginListing(session)
  for await (const objects of inBatches(stores.of(storage).list(''), batch)) {
    signal?.throwIfAborted()
    checked.objects += objects.length
    await recordObjects(session, objects)
  }
  await endListing(session)
  for (const wrong of await listWrongObjects(session, storage, findingsMax)) {
    const finding = await recheck(maintenance, storage, wrong)
    if (finding) report.findings.push(finding)
  }
  if (storage === defaultStorage) {
    await checkThumbnails(maintenance, session, report)
    await checkSegments(maintenance, session, report)
  }
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    const unknown = await listUnknownObjects(session, storage, after, batch)
    await classifyUnknown(maintenance.db, unknown, checked, report)
    const last = unknown.at(-1)
    if (!last || unknown.length < batch) return
    after = last.key
  }
}

/** Needed because the listing and the rows are not from the same moment. */
async function recheck(
  { db, stores }: Maintenance,
  storage: string,
  { blob_id, key, size_bytes }: WrongObject,
): Promise<Finding | undefined> {
  const stored = await sizeOf(stores.of(storage), key)
  if (stored === Number(size_bytes) || !(await isLive(db, blob_id))) return undefined
  const owners = await describeOwners(db, blob_id)
  if (stored === undefined) {
    const text = `object ${key} (${size_bytes} bytes) is missing (${owners})`
    return { kind: 'missing', storage, key, text }
  }
  const text = `object ${key} has ${stored} bytes instead of ${size_bytes} (${owners})`
  return { kind: 'size', storage, key, text }
}

async function sizeOf(store: ReturnType<Maintenance['stores']['of']>, key: string) {
  for await (const object of store.list(key)) if (object.key === key) return object.sizeBytes
  return undefined
}

async function checkThumbnails({ db, stores }: Maintenance, session: Db, { findings }: Fsck) {
  for (const { revision_id, key } of await listMissingThumbnails(session, findingsMax)) {
    const exists = (await sizeOf(stores.of(defaultStorage), key)) !== undefined
    if (exists || (await findFirstThumbnail(db, [revision_id])).thumbnail?.key !== key) continue
    const text = `thumbnail ${key} of revision ${revision_id} is missing`
    findings.push({ kind: 'thumbnail', storage: defaultStorage, key, text })
  }
}

async function checkSegments({ db, stores }: Maintenance, session: Db, { findings }: Fsck) {
  for (const { upload_id, key } of await listMissingSegments(session, findingsMax)) {
    const exists = (await sizeOf(stores.of(defaultStorage), key)) !== undefined
    if (exists || !(await isOpenSegment(db, key))) continue
    const text = `object ${key} of resumable upload ${upload_id} is missing`
    findings.push({ kind: 'missing', storage: defaultStorage, key, text })
  }
}

/** Objects without a blob belong to work in progress, are orphans, or do not belong to Figbase. */
async function classifyUnknown(
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
    // A user's bucket may contain anything, and exports are looked after by their service.
    else if (storage === defaultStorage && !key.startsWith(exportsPrefix)) {
      findings.push({
        kind: 'foreign',
        storage,
        key,
        text: `unknown object ${key}: Figbase did not create it`,
      })
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
