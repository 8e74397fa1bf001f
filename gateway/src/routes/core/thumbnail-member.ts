import type { Node } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { unlessAway } from '../../unless-away.js'

/** Longer side of the pictures that stand in documents; the route answers any other size. */
const sizePx = 256

/** The member `thumbnail` of the detail form: base64 of a PNG, or null. */
export async function thumbnailBelow({ services, call }: Input, node: Node) {
  if (node.children === 0) return null
  const request = { id: node.id, type: node.type, sizePx }
  return base64OrNull(services.revisions.readNewestThumbnail(request, call))
}

/** The same of a revision. */
export async function thumbnailOf({ services, call }: Input, revision: Revision) {
  const { id: revisionId, type, hasThumbnail } = revision
  if (!hasThumbnail) return null
  return base64OrNull(services.revisions.readThumbnail({ revisionId, type, sizePx }, call))
}

async function base64OrNull(answer: Promise<{ png: Uint8Array }>) {
  const { png } = (await unlessAway(answer)) ?? {}
  return png && png.length > 0 ? Buffer.from(png).toString('base64') : null
}
