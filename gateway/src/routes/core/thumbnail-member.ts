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

/** A PNG in base64. `isFinal`: it does not change unless a node changes. */
type Thumbnail = { thumbnail: string | null; isFinal: boolean }

/** The `thumbnail` of a container: that of the newest revision with one, or null. */
export async function newestThumbnail(
  { services, call }: Input,
  { node, newestRevisionIds: revisionIds }: NodeWithLists,
): Promise<Thumbnail> {
  if (node.children === 0) return { thumbnail: null, isFinal: true }
  if (revisionIds.length === 0) {
    const request = { id: node.id, type: node.type, sizePx }
    return thumbnailFrom(services.revisions.readNewestThumbnail(request, call))
  }
  const request = { groups: [{ revisionIds }], sizePx }
  const answer = services.revisions.readThumbnails(request, call)
  return thumbnailFrom(answer.then(({ pngs: [png], isFinal }) => ({ png, isFinal })))
}

/** The revisions of a figure or an asset, oldest first, and its `thumbnail`. */
export async function revisionsWithThumbnail(input: Input, opened: NodeWithLists, type: NodeType) {
  const { node, firstChildren } = opened
  const page = firstChildren.get(type)
  const first = page && page.nodes.length > 0 ? await summariesOf(input, page) : undefined
  if (first && !first.nextPageToken) {
    const { revisions, png, isFinal } = first
    return { revisions, thumbnail: toBase64(png), isFinal }
  }
  const [revisions, thumbnail] = await Promise.all([
    revisionsOf(input, node, type, first),
    newestThumbnail(input, opened),
  ])
  const isFinal = thumbnail.isFinal && !revisions.some(({ isProcessing }) => isProcessing)
  return { revisions, ...thumbnail, isFinal }
}

/** Undefined if the service is older and does not implement the RPC. */
async function summariesOf({ services, call }: Input, { nodes, nextPageToken }: NodePage) {
  try {
    const answer = await services.revisions.readSummaries({ nodes, sizePx }, call)
    return { ...answer, nextPageToken }
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined
    throw error
  }
}

/** The `thumbnail` of a revision. */
export async function thumbnailOf(
  { services, call }: Input,
  revision: Revision,
): Promise<Thumbnail> {
  const { id: revisionId, type, hasThumbnail } = revision
  if (!hasThumbnail) return { thumbnail: null, isFinal: true }
  const answer = services.revisions.readThumbnail({ revisionId, type, sizePx }, call)
  return thumbnailFrom(answer.then(({ png }) => ({ png, isFinal: png.length > 0 })))
}

async function thumbnailFrom(
  answer: Promise<{ png?: Uint8Array | undefined; isFinal: boolean }>,
): Promise<Thumbnail> {
  const { png, isFinal = false } = (await ifAvailable(answer)) ?? {}
  return { thumbnail: toBase64(png), isFinal }
}

const toBase64 = (png: Uint8Array | undefined) =>
  png && png.length > 0 ? Buffer.from(png).toString('base64') : null
