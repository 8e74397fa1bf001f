import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { kindOf, nodeTypeOf } from '../domain/revision-kind.js'
import { activateOrDefer } from '../publication/activate-or-defer.js'
import { listData } from '../queries/data.js'
import { listLinks } from '../queries/links.js'
import { isSilentCreation } from '../queries/processing.js'
import { getRevision } from '../queries/revisions.js'
import { toRevision } from '../wire.js'
import { linksOf } from './links.js'

/**
 * The revision that an earlier attempt of a keyed request created. Activates it, because the attempt may have ended
 * before that.
 */
export const restoreRevision =
  (ctx: Ctx) =>
  async ({ revision: created }: Recorded, _: unknown, call: HandlerContext) => {
    const revision = await getRevision(ctx.db, created?.id ?? '')
    const data = await listData(ctx.db, revision.id)
    const silent = await isSilentCreation(ctx.db, revision.id)
    const kind = kindOf(revision.type)
    const assetRevisionIds = (await listLinks(ctx.db, revision.id)).map(
      (link) => link.asset_revision_id,
    )
    const committed = { revision, data, kind, silent, assetRevisionIds }
    const node = await activateOrDefer(ctx, committed, call)
    return { revision: toRevision(revision, node, data, await linksOf(ctx, revision, call)) }
  }

/** The revision that an earlier attempt of a keyed request updated. */
export const restoreUpdated =
  (ctx: Ctx) =>
  async ({ revision: updated }: Recorded, _: unknown, call: HandlerContext) => {
    const revision = await getRevision(ctx.db, updated?.id ?? '')
    const request = { id: revision.id, type: nodeTypeOf(revision.type) }
    const { node } = await ctx.catalog.getNode(request, forward(call))
    if (!node) throw new Error('catalog returned no node')
    const data = await listData(ctx.db, revision.id)
    return { revision: toRevision(revision, node, data, await linksOf(ctx, revision, call)) }
  }

type Recorded = { revision?: { id?: string } | undefined }
