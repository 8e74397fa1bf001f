import { toIso } from '@figbase/kit'
import type { ReserveResponse } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { Db, NewData, RevisionRow } from '../db/schema.js'
import { blobClaims } from '../domain/blobs.js'
import { uploadLost } from '../errors.js'
import { processRevision } from '../jobs/process-revision.js'
import { claimBlobs } from '../queries/blobs.js'
import { insertData } from '../queries/data.js'
import { insertRevision, takeIndex } from '../queries/revisions.js'
import { commitUpload } from '../queries/uploads.js'
import type { Received } from './receive.js'
import type { Upload } from './upload.js'

export type Draft = Pick<Received, 'figureId' | 'objects'> & {
  author: string
  metadata: string
  isCleanRoom: boolean
  silent: boolean
}

export type Committed = {
  revision: RevisionRow
  data: NewData[]
  /** Some bytes were stored already: their staged copies are to be removed. */
  leftovers: boolean
}

/** One transaction: revision, data, blobs and the job that processes them. */
export function commit(
  ctx: Ctx,
  upload: Upload,
  draft: Draft,
  reserved: ReserveResponse,
): Promise<Committed> {
  return ctx.transact(async (tx) => {
    const revision = await insertRevision(tx, {
      id: reserved.id,
      figure_id: draft.figureId,
      revision_index: await takeIndex(tx, draft.figureId),
      metadata: draft.metadata,
      is_clean_room: draft.isCleanRoom,
      is_processing: draft.objects.some(({ type }) => type === DataType.IMAGE),
      image_hash: null,
      created_by: draft.author,
      created_on: createdOnOf(reserved),
    })
    const { blobIdOf, leftovers } = await claim(ctx, tx, draft)
    const data = draft.objects.map((object, position) => ({
      id: ctx.newId(),
      revision_id: revision.id,
      position,
      name: object.name,
      type: object.type,
      metadata: object.metadata,
      is_clean_room: object.isCleanRoom,
      blob_id: blobIdOf(object.digest),
      size_bytes: object.size,
      hash: object.digest,
      processing_error: null,
    }))
    await insertData(tx, data)
    if (upload.begun() && !(await commitUpload(tx, upload.id, leftovers))) throw uploadLost()
    const payload = { revisionId: revision.id, silent: draft.silent }
    await ctx.enqueue(tx, processRevision, payload, {
      key: revision.id,
      workspaceId: reserved.workspaceId,
    })
    return { revision, data, leftovers }
  })
}

async function claim(ctx: Ctx, tx: Db, { objects }: Draft) {
  const claims = blobClaims(objects).map((one) => ({ ...one, id: ctx.newOrderedId() }))
  const blobs = await claimBlobs(tx, claims)
  const keys = new Set(blobs.map((blob) => blob.key))
  const ids = new Map(blobs.map((blob) => [blob.digest, blob.id]))
  return {
    blobIdOf(digest: string) {
      const id = ids.get(digest)
      if (!id) throw new Error(`no blob was claimed for ${digest}`)
      return id
    },
    leftovers: objects.some((object) => !keys.has(object.key)),
  }
}

function createdOnOf({ createdOn }: ReserveResponse) {
  if (!createdOn) throw new Error('catalog reserved without a time')
  return toIso(createdOn)
}
