import type { HandlerContext } from '@connectrpc/connect'
import { toIso } from '@figbase/kit/db'
import type { ReserveUpdateResponse } from '@figbase/proto/catalog'
import type { Config } from '../config.js'
import type { Ctx } from '../context.js'
import type { NewData } from '../db/schema.js'
import { blobClaims } from '../domain/blobs.js'
import { type DataPlan, planData } from '../domain/data-plan.js'
import type { Changes } from '../domain/finish.js'
import type { Link } from '../domain/links.js'
import {
  tooLarge,
  tooManyObjects,
  tooMuchMetadata,
  uploadLost,
  versionMismatch,
} from '../errors.js'
import { processRevision } from '../job-names.js'
import { type DataWithKey, listData } from '../queries/data.js'
import { getRevisionLocked, type RevisionWithMetadata } from '../queries/revisions.js'
import { type DataChange, insertUpdate, type Updated } from '../queries/update.js'
import type { Upload } from '../staging/upload.js'
import { type ReceivedObject, toRow } from './objects.js'
import { usedUploadError } from './stage-uploads.js'

/** A data object that comes with an update. Its id is created before the commit, which may be retried. */
export type AddedObject = ReceivedObject & { id: string }

export type UpdateDraft = {
  revisionId: string
  author: string
  mode: 'replace' | 'append'
  expectedVersion: number | undefined
  /** New data objects, and the ids of stored ones to keep. Empty: the data does not change. */
  list: (AddedObject | string)[]
  changes: Changes
  /** Undefined: the links do not change. */
  links: Link[] | undefined
  silent: boolean
}

export type CommittedUpdate = {
  revision: Updated
  /** All data after the update. */
  data: NewData[]
}

type Plan = DataPlan<DataWithKey, AddedObject>

/**
 * The change to the data of a revision, `live`. Undefined if there is none. Throws if the result exceeds a
 * limit, including that of the metadata.
 */
export function planUpdate(
  cfg: Config,
  { list, mode, changes, expectedVersion }: UpdateDraft,
  before: RevisionWithMetadata,
  live: DataWithKey[],
): Plan | undefined {
  checkVersion(before, expectedVersion)
  const plan = list.length > 0 ? planData(live, list, mode) : undefined
  if (!plan && changes.metadata === undefined) return undefined
  const all = plan?.all ?? live
  let bytes = 0n
  let textBytes = Buffer.byteLength(changes.metadata ?? before.metadata)
  for (const one of all) {
    bytes += 'size_bytes' in one ? one.size_bytes : one.size
    textBytes += Buffer.byteLength(one.metadata) + Buffer.byteLength(one.name ?? '')
  }
  if (plan && all.length > cfg.objectsMax) throw tooManyObjects(cfg.objectsMax)
  if (plan && bytes > cfg.uploadBytesMax) throw tooLarge(cfg.uploadBytesMax)
  if (textBytes > cfg.metadataBytesMax) throw tooMuchMetadata(cfg.metadataBytesMax)
  return plan
}

export function checkVersion({ version }: { version: number }, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw versionMismatch()
}

/** All or nothing. Updates of one revision are serialized. */
export async function commitUpdate(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  { updateId, workspaceId, updatedOn }: ReserveUpdateResponse,
  call: HandlerContext,
): Promise<CommittedUpdate> {
  if (!updatedOn) throw new Error('catalog returned no time for an update reservation')
  const { revisionId, author, changes, links, silent } = draft
  const at = toIso(updatedOn)
  const uploadId = upload.hasRow() ? upload.id : null
  return ctx.transact(async (tx) => {
    const before = await getRevisionLocked(tx, revisionId)
    const live = await listData(tx, revisionId)
    const plan = planUpdate(ctx.cfg, draft, before, live)
    const data = plan && dataChange(ctx, plan, revisionId, upload.storage())
    const update = { id: updateId, revisionId, author, at, changes, data, links, silent }
    const { pendingSettleAfterMs: reservedForMs } = ctx.cfg
    const revision = await insertUpdate(tx, uploadId, update, reservedForMs, upload.uses)
    if (!revision) throw (await usedUploadError(tx, upload.uses, author)) ?? uploadLost()
    const job = { key: revisionId, workspaceId }
    await ctx.enqueue(tx, processRevision, { revisionId, workspaceId }, job)
    await ctx.record(tx, call, () => ({ revision: { id: revisionId } }))
    const made = { created_by: author, created_on: revision.updated_on }
    const all = plan?.all.map((one) =>
      'size_bytes' in one ? one : { ...toRow(one, revisionId), ...made },
    )
    return { revision, data: all ?? live }
  })
}

function dataChange(
  ctx: Ctx,
  { moved, detached, added }: Plan,
  revisionId: string,
  storage: string,
): DataChange {
  const objects = added.map(({ object }) => object)
  return {
    moved,
    detached,
    added: added.map(({ object, position }) => ({ ...toRow(object, revisionId), position })),
    blobs: blobClaims(objects).map((one) => ({ ...one, id: ctx.newOrderedId() })),
    stagedKeys: objects.map((object) => object.key),
    storage,
  }
}
