import { Code, ConnectError } from '@connectrpc/connect'
import type { NodePage, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { unlessAway } from '../../unless-away.js'
import { type OpenNode, revisionsOf } from '../nodes.js'

/** Longer side of the pictures that stand in documents; the route answers any other size. */
const sizePx = 256

/** So many of the newest revisions are looked at for a picture. */
export const picturedRevisions = 100

/** The member `thumbnail` of the detail form: base64 of a PNG, or null. */
export async function thumbnailBelow(
  { services, call }: Input,
  { node, newestRevisionIds: revisionIds }: OpenNode,
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

/** The live revisions of a figure or an asset, oldest first, with the member `thumbnail` of it. */
export async function revisionsWithThumbnail(input: Input, opened: OpenNode, type: NodeType) {
  const { node, firstChildren } = opened
  const page = firstChildren.get(type)
  const first = page && page.nodes.length > 0 ? await summariesOf(input, page) : undefined
  if (first && !first.nextPageToken) {
    return { revisions: first.revisions, thumbnail: toBase64(first.png) }
  }
  const [revisions, thumbnail] = await Promise.all([
    revisionsOf(input, node, type, first),
    thumbnailBelow(input, opened),
  ])
  return { revisions, thumbnail }
}

/** Undefined where an older service does not know the call. */
async function summariesOf({ services, call }: Input, { nodes, nextPageToken }: NodePage) {
  try {
    const { revisions, png } = await services.revisions.readSummaries({ nodes, sizePx }, call)
    return { revisions, png, nextPageToken }
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined
    throw error
  }
}

/** The same of a revision. */
export async function thumbnailOf({ services, call }: Input, revision: Revision) {
  const { id: revisionId, type, hasThumbnail } = revision
  if (!hasThumbnail) return null
  return base64OrNull(services.revisions.readThumbnail({ revisionId, type, sizePx }, call))
}

async function base64OrNull(answer: Promise<{ png?: Uint8Array | undefined }>) {
  const { png } = (await unlessAway(answer)) ?? {}
  return toBase64(png)
}

const toBase64 = (png: Uint8Array | undefined) =>
  png && png.length > 0 ? Buffer.from(png).toString('base64') : null
