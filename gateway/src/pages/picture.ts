import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input, Reply, Route } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { idIn, revisionIdIn } from './ids.js'
import { kinds } from './kinds.js'
import { errorReply } from './page.js'
import { largePx, smallPx } from './pictures.js'

/** `v` changes with the picture: an address with it may be cached. Without `size`, the picture has its full size. */
const query = z.object({
  size: z.enum([String(smallPx), String(largePx)]).optional(),
  v: z.string().max(100).optional(),
})

type Picture = { png: Uint8Array; etag: string; isFinal: boolean }

/** A picture for the pages: the browser sends the cookie of the session, which the API does not read. */
const picture = (
  segment: string,
  read: (input: Input, sizePx: number) => Promise<Picture>,
): Route => ({
  method: 'GET',
  path: `/${segment}/:id/picture/`,
  since: 'v1',
  auth: 'optional',
  acceptsSession: true,
  errorReply,
  query,
  async handle(input) {
    const { size = '0', v = '' } = input.query as z.infer<typeof query>
    const found = await read(input, Number(size))
    if (found.png.length === 0) {
      if (size === String(smallPx)) return placeholder
      throw new HttpError(404, 'not_found', 'this picture does not exist')
    }
    return pictureReply(input, found, v !== '' && found.isFinal)
  },
})

/** In lists, in place of a picture that does not exist: the lines of a landscape in a frame. It may soon exist. */
const placeholder: Reply = {
  status: 200,
  headers: {
    vary: 'Authorization, Cookie',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  },
  bytes: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="192" viewBox="0 0 64 48" fill="none" stroke="#8a95a3" stroke-linejoin="round"><rect x="20" y="14" width="24" height="20" rx="2"/><circle cx="27" cy="20" r="2"/><path d="m20 31 7-6 5 4 5-6 7 7"/></svg>',
  ),
  type: 'image/svg+xml',
}

/** Other users of the browser have other cookies. */
function pictureReply(
  { headers: { 'if-none-match': known }, cfg }: Input,
  { png, etag }: Picture,
  isFixed: boolean,
): Reply {
  const maxAgeS = Math.floor(cfg.pagePictureMaxAgeMs / 1000)
  const headers = {
    etag: `"${etag}"`,
    vary: 'Authorization, Cookie',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': isFixed ? `private, max-age=${maxAgeS}, immutable` : 'private, no-cache',
  }
  return known === headers.etag
    ? { status: 304, headers, empty: true }
    : { status: 200, headers, bytes: png, type: 'image/png' }
}

const ofRevision =
  (type: NodeType, revisionId: (input: Input) => string) => (input: Input, sizePx: number) =>
    input.services.revisions.readThumbnail(
      { revisionId: revisionId(input), type, sizePx },
      input.call,
    )

/** That of the newest revision below an object that has one. */
const ofNewest = (type: NodeType) => (input: Input, sizePx: number) =>
  input.services.revisions.readNewestThumbnail({ id: idIn(input), type, sizePx }, input.call)

export const pictureRoutes: Route[] = [
  picture('r', ofRevision(NodeType.FIGURE_REVISION, revisionIdIn)),
  picture('asset_revision', ofRevision(NodeType.ASSET_REVISION, idIn)),
  ...[kinds.workspace, kinds.analysis, kinds.figure, kinds.asset].map(({ segment, type }) =>
    picture(segment, ofNewest(type)),
  ),
]
