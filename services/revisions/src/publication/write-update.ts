import type { HandlerContext } from '@connectrpc/connect'
import type { Parent } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Link } from '../domain/links.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import type { Upload } from '../staging/upload.js'
import { settleQuietly } from '../uploads/settle.js'
import { assumedUpdate, type Common } from '../wire.js'
import { applyWithRetry } from './apply-update.js'
import { type CommittedUpdate, commitUpdate, type UpdateDraft } from './commit-update.js'
import { withUpdateReservation } from './reservation.js'

/** Reserve, commit, apply. */
export async function writeUpdate(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  kind: RevisionKind,
  growthBytes: bigint,
  call: HandlerContext,
): Promise<CommittedUpdate & { node: Common; parent: Parent | undefined }> {
  await upload.flush()
  const { revisionId: id, author, silent } = draft
  const request = { id, growthBytes, withParent: kind.type === 'figure_revision' }
  const { committed, reserved } = await withUpdateReservation(ctx, request, call, (reservation) =>
    commitUpdate(ctx, upload, draft, reservation, call),
  )
  const { revision, data } = committed
  const { updateId, updatedOn, parent } = reserved
  const contentVersion = revision.content_version
  const sizes = draft.list.length > 0 ? data : undefined
  try {
    const uses =
      draft.links && kind.type === 'figure_revision' ? usesOf(revision, draft.links) : undefined
    const application = { updateId, id, data: sizes, contentVersion, silent, uses }
    const node = await applyWithRetry(ctx, application, call)
    const resultNode = node ?? assumedUpdate(revision, data, author, updatedOn)
    return { ...committed, node: resultNode, parent }
  } finally {
    if (revision.leftovers) await upload.removeLeftovers()
    await settleQuietly(ctx, upload.uses)
  }
}

const usesOf = ({ id, version }: CommittedUpdate['revision'], links: Link[]) => ({
  id,
  version,
  asset_revision_ids: links.map((link) => link.assetRevisionId),
})
