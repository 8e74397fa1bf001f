import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { HttpError, retryAfter } from '../../http/errors.js'
import { detailSchema } from '../../shapes/detail.js'
import { isTrue } from '../members.js'
import type { Resource } from './resources.js'

const schema = z.object({
  format: z.literal('png'),
  thumbnail: z.base64().nullable(),
  detail: z.string().optional().meta({ description: 'Why there is none yet' }),
})

const beingMade = 'the thumbnail is being made: ask again in a second'

const thumbnailAt = (resource: Resource, path: string): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${resource.segment}/:id/${path}`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    summary: 'A PNG that fits a square of `size` pixels, as base64 or, with `dl=1`, as it is',
    query: z.object({ dl: z.string().optional() }),
    responses: { 200: schema, 202: detailSchema, 304: null },
    mediaType: 'image/png',
    async handle(input) {
      const { params, query } = input
      const { png, etag, isProcessing } = await read(input, resource, sizeIn(params.size))
      const asPicture = isTrue(query.dl) || wantsPicture(input)
      if (!asPicture) {
        const thumbnail = png.length > 0 ? Buffer.from(png).toString('base64') : null
        const answer = { format: 'png', thumbnail, ...(isProcessing && { detail: beingMade }) }
        return ok(answer, { vary: 'Accept, Accept-Encoding' })
      }
      if (isProcessing) return { status: 202, headers: soon, body: { detail: beingMade } }
      if (png.length === 0) throw new HttpError(404, 'not_found', `thumbnail: ${noneOf}`)
      const headers = { etag: `"${etag}"`, vary: 'Accept' }
      if (input.headers['if-none-match'] === headers.etag) {
        return { status: 304, headers, empty: true }
      }
      return { status: 200, headers, bytes: png, type: 'image/png' }
    },
  })

/** No cache keeps the answer: a picture may stand there in a moment. */
const soon = { ...retryAfter(1), 'cache-control': 'no-store', vary: 'Accept' }

const noneOf = 'no image here could be drawn; `processing_error` of a data object says why'

/** Of a revision its own, of all else that of the newest revision below that has one. */
export const thumbnailsOf = (resource: Resource): Endpoint[] => [
  thumbnailAt(resource, 'thumbnail/'),
  thumbnailAt(resource, 'thumbnail/:size/'),
]

function read({ params: { id = '' }, services, call }: Input, { type }: Resource, sizePx: number) {
  const { revisions } = services
  if (type === NodeType.FIGURE_REVISION || type === NodeType.ASSET_REVISION) {
    return revisions.readThumbnail({ revisionId: id, type, sizePx }, call)
  }
  return revisions.readNewestThumbnail({ id, type, sizePx }, call)
}

function sizeIn(text: string | undefined) {
  if (text === undefined) return 0
  // The service refuses what is out of its bounds, and names them.
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : -1
}

/** Only an explicit image type: clients send a list that ends in everything. */
function wantsPicture({ headers }: Input) {
  return /(^|,)\s*image\/(\*|png)\s*(;|,|$)/i.test(headers.accept ?? '')
}
