import type { HandlerContext } from '@connectrpc/connect'
import { denied, invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { LinkRow, RevisionRow } from '../db/schema.js'
import type { Link } from '../domain/links.js'
import { listLinks, listLinksOfAsset } from '../queries/links.js'
import type { Links } from '../wire.js'

const pageSize = 1000
/** The maximum of catalog.ResolveNodes. */
const idsMax = 1000

/**
 * All links of a figure revision, or the first page of an asset revision. They are the same for every
 * viewer of the revision.
 */
export async function linksOf(
  ctx: Ctx,
  { id, type }: Pick<RevisionRow, 'id' | 'type'>,
  call: HandlerContext,
): Promise<Links> {
  if (type === 'asset_revision') return pageOfLinks(ctx, id, '', call)
  const links = await listLinks(ctx.db, id)
  const ids = links.map((link) => link.asset_revision_id)
  const live = await resolve(ctx, ids, NodeType.ASSET_REVISION, call)
  return { links: links.filter((link) => live.has(link.asset_revision_id)), linksPageToken: '' }
}

/** The links of a figure revision that the caller can view. */
export async function visibleLinks(ctx: Ctx, id: string, call: HandlerContext): Promise<LinkRow[]> {
  const links = await listLinks(ctx.db, id)
  const ids = links.map((link) => link.asset_revision_id)
  const found = await resolve(ctx, ids, NodeType.ASSET_REVISION, call)
  return links.filter((link) => found.get(link.asset_revision_id) === 'visible')
}

export async function pageOfLinks(
  ctx: Ctx,
  assetRevisionId: string,
  pageToken: string,
  call: HandlerContext,
): Promise<Links> {
  if (!/^\d{0,18}$/.test(pageToken)) {
    throw invalid('page_token', 'is not a page token of this list')
  }
  const rows = await listLinksOfAsset(ctx.db, assetRevisionId, BigInt(pageToken), pageSize + 1)
  const page = rows.slice(0, pageSize)
  const ids = page.map((link) => link.figure_revision_id)
  const live = await resolve(ctx, ids, NodeType.FIGURE_REVISION, call)
  return {
    links: page.filter((link) => live.has(link.figure_revision_id)),
    linksPageToken: rows.length > pageSize ? String(page.at(-1)?.seq) : '',
  }
}

/**
 * Checks the new links of a figure revision and returns them. Throws `permission_denied` if the caller
 * cannot view a linked revision, and `invalid` if it does not exist. Links in `linked` are not checked
 * again.
 */
export async function checkLinks(
  ctx: Ctx,
  figureRevisionId: string,
  links: Link[],
  linked: LinkRow[],
  call: HandlerContext,
): Promise<Links> {
  const known = new Set(linked.map((link) => link.asset_revision_id))
  const ids = links.map((link) => link.assetRevisionId)
  const found = await resolve(ctx, ids, NodeType.ASSET_REVISION, call)
  if (ids.some((id) => found.get(id) === 'hidden' && !known.has(id))) throw denied('VIEW')
  const missing = ids.findIndex((id) => !found.has(id) && !known.has(id))
  if (missing >= 0) throw invalid(`assets[${missing}].asset_revision`, 'does not exist')
  const rows = links.map(({ assetRevisionId, useType }) => ({
    figure_revision_id: figureRevisionId,
    asset_revision_id: assetRevisionId,
    use_type: useType,
  }))
  return { links: rows.filter((row) => found.has(row.asset_revision_id)), linksPageToken: '' }
}

/** Whether the caller can view each of the nodes. Deleted nodes are missing. */
async function resolve(ctx: Ctx, ids: string[], type: NodeType, call: HandlerContext) {
  const found = new Map<string, 'visible' | 'hidden'>()
  for (let at = 0; at < ids.length; at += idsMax) {
    const request = { ids: ids.slice(at, at + idsMax), type }
    const { nodes, hiddenIds } = await ctx.catalog.resolveNodes(request, forward(call))
    for (const { id } of nodes) found.set(id, 'visible')
    for (const id of hiddenIds) found.set(id, 'hidden')
  }
  return found
}
