import type { HandlerContext } from '@connectrpc/connect'
import { isStatementError, toIso } from '@figbase/kit/db'
import type { Parent, ReserveResponse } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import type { Transaction } from 'kysely'
import type { Ctx } from '../context.js'
import type { Db, NewData, RevisionRow, Tables } from '../db/schema.js'
import { blobClaims } from '../domain/blobs.js'
import type { Link } from '../domain/links.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { uploadLost } from '../errors.js'
import { autoAssign } from '../job-names.js'
import { type NewAssignment, startAssignment } from '../queries/assignments.js'
import { type CommittedRevision, insertCommitted } from '../queries/commit.js'
import type { Upload } from '../staging/upload.js'
import { type ReceivedObject, toRow } from './objects.js'
import { usedUploadError } from './stage-uploads.js'

export type Draft = {
  kind: RevisionKind
  parentId: string
  objects: ReceivedObject[]
  author: string
  metadata: string
  description: string | null
  isCleanRoom: boolean
  shortId: string | null
  silent: boolean
  /** Where it is imported from. */
  importSource: string | null
  links: Link[]
  /** Present if the figure is not known yet. */
  assignment?: NewAssignment | undefined
}

export type Committed = {
  revision: RevisionRow
  data: NewData[]
  /** Some bytes were stored already, so their staged copies must be removed. */
  leftovers: boolean
  /** The figure. */
  parent: Parent | undefined
}

/** One statement writes the revision, its data, its blobs and the job that processes it. */
export async function commit(
  ctx: Ctx,
  upload: Upload,
  draft: Draft,
  reserved: ReserveResponse,
  call: HandlerContext,
): Promise<Committed> {
  const { objects, kind } = draft
  const revision = {
    id: reserved.id,
    type: kind.type,
    parent_id: draft.parentId,
    metadata: draft.metadata,
    is_clean_room: draft.isCleanRoom,
    is_processing: !!draft.assignment || objects.some(({ type }) => needsProcessing(kind, type)),
    description: draft.description,
    created_by: draft.author,
    created_on: createdOnOf(reserved),
    short_id: draft.shortId,
    import_source: draft.importSource,
  }
  const data = objects.map((object) => toRow({ ...object, id: ctx.newId() }, revision.id))
  await upload.flush()
  const uploadId = upload.hasRow() ? upload.id : null
  const blobs = blobClaims(objects).map((one) => ({ ...one, id: ctx.newOrderedId() }))
  const keys = objects.map((object) => object.key)
  const { workspaceId } = reserved
  const job = {
    payload: { revisionId: revision.id, workspaceId, silent: draft.silent },
    workspaceId,
  }
  const insert = (db: Db) =>
    insertCommitted(db, uploadId, revision, blobs, data, draft.links, keys, job, upload)
  const committing = draft.assignment
    ? ctx.transact(async (tx) => {
        const committed = await commitAssigned(ctx, tx, insert, draft.author, workspaceId)
        if (committed) await ctx.record(tx, call, () => createdRecord(committed))
        return committed
      })
    : ctx.writeOnce(call, insert, createdRecord, { enqueues: true })
  const committed = await committing.catch(async (error: unknown) => {
    if (isStatementError(error)) await upload.removeUncommitted()
    throw error
  })
  if (!committed) {
    await upload.removeUncommitted()
    throw (await usedUploadError(ctx.db, upload.uses, draft.author)) ?? uploadLost()
  }
  // The statement gives the data the values of the revision.
  const { created_by, created_on } = committed
  const whole = data.map((one) => ({ ...one, created_by, created_on }))
  const { leftovers } = committed
  return { revision: committed, data: whole, leftovers, parent: reserved.parent }
}

/** What a repetition of a keyed request needs: see `restoreRevision`. */
export const createdRecord = ({ id }: { id: string }): { revision: { id: string } } => ({
  revision: { id },
})

/** Also enqueues the task that assigns the revision. */
async function commitAssigned(
  ctx: Ctx,
  tx: Transaction<Tables>,
  insert: (db: Db) => Promise<CommittedRevision | undefined>,
  owner: string,
  workspaceId: string,
) {
  const committed = await insert(tx)
  if (!committed) return undefined
  const { id: revisionId } = committed
  const options = { name: 'Assign a revision to a figure', owner, workspaceId }
  const taskId = await ctx.startTask(tx, autoAssign, { revisionId }, options)
  await startAssignment(tx, revisionId, taskId, workspaceId)
  return committed
}

/** Pictures are made of images only. The data hash of an asset revision is made of all data. */
const needsProcessing = (kind: RevisionKind, type: DataType) =>
  type === DataType.IMAGE || kind.type === 'asset_revision'

/** The time of a creation comes from catalog alone. */
export function createdOnOf({ createdOn }: ReserveResponse) {
  if (!createdOn) throw new Error('catalog returned no time for a reservation')
  return toIso(createdOn)
}
