import { Code, ConnectError } from '@connectrpc/connect'
import type { NodePage, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { revisionsOf } from '../../nodes/lists.js'
import type { NodeWithLists } from '../../nodes/node-with-lists.js'

/** Longer side of embedded thumbnails in pixels; the thumbnail route offers other sizes. */
const sizePx = 256

/** The number of newest revisions to search for a thumbnail. */
export const thumbnailRevisionsMax = 100

/** The `thumbnail` of a container: that of the newest revision with one, as base64 PNG, or null. */
export async function newestThumbnail(
  { services, call }: Input,
  { node, newestRevisionIds: revisionIds }: NodeWithLists,
) {
  if (node.children === 0) return null
  if (revisionIds.length === 0) {
    const request = { id: node.id, type: node.type, sizePx }
    return base64OrNull(services.revisions.readNewestThumbnail(request, call))
  }
  const request = { groups: [{ revisionIds }], sizePx }
  const answer = services.revisions.readThumbnails(request, call)
  return base64OrNull(answer.then(({ pngs: [png] }) => ({ png })))
}

/** The revisions of a figure or an asset, oldest first, and its `thumbnail`. */
export async function revisionsWithThumbnail(input: Input, opened: NodeWithLists, type: NodeType) {
  const { node, firstChildren } = opened
  const page = firstChildren.get(type)
  const first = page && page.nodes.length > 0 ? await summariesOf(input, page) : undefined
  if (first && !first.nextPageToken) {
    return { revisions: first.revisions, thumbnail: toBase64(first.png) }
  }
  const [revisions, thumbnail] = await Promise.all([
    revisionsOf(input, node, type, first),
    newestThumbnail(input, opened),
  ])
  return { revisions, thumbnail }
}

/** Undefined if the service is older and does not implement the RPC. */
async function summariesOf({ services, call }: Input, { nodes, nextPageToken }: NodePage) {
  try {
    const { revisions, png } = await services.revisions.readSummaries({ nodes, sizePx }, call)
    return { revisions, png, nextPageToken }
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined
    throw error
  }
}

/** The `thumbnail` of a revision. */
export async function thumbnailOf({ services, call }: Input, revision: Revision) {
  const { id: revisionId, type, hasThumbnail } = revision
  if (!hasThumbnail) return null
  return base64OrNull(services.revisions.readThumbnail({ revisionId, type, sizePx }, call))
}

async function base64OrNull(answer: Promise<{ png?: Uint8Array | undefined }>) {
  const { png } = (await ifAvailable(answer)) ?? {}
  return toBase64(png)
}

const toBase64 = (png: Uint8Array | undefined) =>
  png && png.length > 0 ? Buffer.from(png).toString('base64') : null
