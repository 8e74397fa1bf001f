import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, forwardDetached, requireUser } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import { UnlinkFigureRequest_Anchor as Anchor } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { processRevision } from '../job-names.js'
import { applyWithRetry } from '../publication/apply-update.js'
import { withUpdateReservation } from '../publication/reservation.js'
import { listData } from '../queries/data.js'
import { findUses } from '../queries/links.js'
import { getRevision } from '../queries/revisions.js'
import { lockRevisions, unlink } from '../queries/unlink.js'
import type { Impl } from '../routes.js'
import { toRevision } from '../wire.js'
import { linksOf } from './links.js'

export function unlinkFigure(ctx: Ctx): Impl['unlinkFigure'] {
  return async (req, call) => {
    const author = requireUser(call)
    const { assetRevisionId: id, anchor, deleteFigureRevision, silent } = req
    const isAnchor = anchor === Anchor.ASSET_REVISION
    const { node: asset } = await ctx.catalog.getNode(
      { id, type: NodeType.ASSET_REVISION },
      forward(call),
    )
    if (!asset) throw new Error('catalog returned no node')
    if (isAnchor) await check(ctx, asset.id, NodeType.ASSET_REVISION, Permission.UPDATE, call)
    const figureRevisionId = await checkFigure(
      ctx,
      req.figureRevisionId,
      deleteFigureRevision,
      call,
    )

    const linked = await linksOf(ctx, { id: asset.id, type: 'asset_revision' }, call)
    const anchorId = isAnchor ? asset.id : figureRevisionId
    const { reserved } = await withUpdateReservation(
      ctx,
      { id: anchorId },
      call,
      ({ updateId, workspaceId }) =>
        ctx.transact(async (tx) => {
          await lockRevisions(tx, [asset.id, figureRevisionId])
          const ids = { updateId, figureRevisionId, assetRevisionId: asset.id, anchorId }
          if (!(await unlink(tx, { ...ids, author, silent }))) throw notLinked()
          const job = { key: anchorId, workspaceId }
          await ctx.enqueue(tx, processRevision, { revisionId: anchorId, workspaceId }, job)
        }),
    )
    const { updateId } = reserved
    const uses = await findUses(ctx.db, figureRevisionId)
    const application = { updateId, id: anchorId, data: undefined, contentVersion: 0, silent, uses }
    const applied = await applyWithRetry(ctx, application, call)
    if (deleteFigureRevision) await deleteFigure(ctx, figureRevisionId, silent, call)

    const revision = await getRevision(ctx.db, asset.id)
    const links = linked.links.filter((link) => link.figure_revision_id !== figureRevisionId)
    const node = (isAnchor ? applied : undefined) ?? asset
    const data = await listData(ctx.db, asset.id)
    return { revision: toRevision(revision, node, data, { ...linked, links }) }
  }
}

const notLinked = () => invalid('figure_revision', 'is not linked to this asset revision')

/** Returns the id if the caller may do what the request asks for. */
async function checkFigure(ctx: Ctx, id: string, isDeleted: boolean, call: HandlerContext) {
  if (!isUuid(id)) throw invalid('figure_revision', 'must be a UUID')
  try {
    await check(ctx, id, NodeType.FIGURE_REVISION, Permission.UPDATE, call)
    if (isDeleted) await check(ctx, id, NodeType.FIGURE_REVISION, Permission.DELETE, call)
  } catch (error) {
    throw hasCode(error, Code.NotFound) ? invalid('figure_revision', 'does not exist') : error
  }
  return id.toLowerCase()
}

async function deleteFigure(ctx: Ctx, id: string, silent: boolean, call: HandlerContext) {
  const request = { id, type: NodeType.FIGURE_REVISION, silent }
  await ctx.catalog.deleteNode(request, forwardDetached(call)).catch((error: unknown) => {
    // It was deleted after the check.
    if (!hasCode(error, Code.NotFound)) throw error
  })
}

const check = (
  ctx: Ctx,
  id: string,
  type: NodeType,
  permission: Permission,
  call: HandlerContext,
) => ctx.catalog.checkAccess({ id, type, permission }, forward(call))
