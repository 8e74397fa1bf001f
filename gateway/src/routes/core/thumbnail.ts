import { createHash } from 'node:crypto'
import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { HttpError, retryAfter } from '../../http/errors.js'
import { detailSchema } from '../../shapes/detail.js'
import { nounOf } from '../nouns.js'
import { flagQuery, isTrue } from '../query-flags.js'
import type { Resource } from './resources.js'

const schema = z
  .object({
    format: z.literal('png'),
    thumbnail: z.base64().nullable(),
    detail: z.string().optional().meta({ description: 'Why there is no thumbnail yet.' }),
  })
  .meta({ id: 'Thumbnail', description: 'A thumbnail.' })

const notReady = 'the thumbnail is not ready yet: try again in a second'

const thumbnailRoute = (resource: Resource, isSized: boolean): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${resource.segment}/:id/thumbnail/${isSized ? ':size/' : ''}`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(resource.segment).idPart}Thumbnail${isSized ? 'OfSize' : ''}`,
    summary: `Get the thumbnail of ${nounOf(resource.segment).a}${isSized ? ' in a given size' : ''}`,
    description:
      'The answer is JSON, or the PNG itself if `dl` is set or `Accept` names an image type.',
    query: z.object({ dl: flagQuery }),
    responses: { 200: schema, 202: detailSchema, 304: null },
    responseHeaders: ['ETag'],
    mediaType: 'image/png',
    async handle(input) {
      const { params, query } = input
      const { png, etag, isProcessing } = await read(input, resource, sizeIn(params.size))
      const asPicture = isTrue(query.dl) || wantsPicture(input)
      if (!asPicture) {
        const thumbnail = png.length > 0 ? Buffer.from(png).toString('base64') : null
        const answer = { format: 'png', thumbnail, ...(isProcessing && { detail: notReady }) }
        return ok(answer, { vary: 'Accept, Accept-Encoding' })
      }
      if (isProcessing)
        return { status: 202, headers: retrySoonHeaders, body: { detail: notReady } }
      if (png.length === 0) throw new HttpError(404, 'not_found', `thumbnail: ${noThumbnail}`)
      const headers = { etag: `"${etag}"`, vary: 'Accept' }
      if (input.headers['if-none-match'] === headers.etag) {
        return { status: 304, headers, empty: true }
      }
      return { status: 200, headers, bytes: png, type: 'image/png' }
    },
  })

/** Not cached, because the thumbnail will be ready soon. */
const retrySoonHeaders = { ...retryAfter(1), 'cache-control': 'no-store', vary: 'Accept' }

const noThumbnail = 'no image could be rendered; see `processing_error` of the data objects'

/** The thumbnail routes. A container has the thumbnail of the newest revision below it that has one. */
export const thumbnailRoutes = (resource: Resource): Endpoint[] => [
  thumbnailRoute(resource, false),
  thumbnailRoute(resource, true),
]

async function read(
  { params: { id = '' }, services, call }: Input,
  { type }: Resource,
  sizePx: number,
) {
  const { revisions } = services
  if (type === NodeType.STORY) return firstVisible(services, id, sizePx, call)
  if (type === NodeType.FIGURE_REVISION || type === NodeType.ASSET_REVISION) {
    return revisions.readThumbnail({ revisionId: id, type, sizePx }, call)
  }
  return revisions.readNewestThumbnail({ id, type, sizePx }, call)
}

/** The thumbnail of a story: that of the first revision with one that the caller may view. */
async function firstVisible(
  { stories, revisions }: Input['services'],
  id: string,
  sizePx: number,
  call: Input['call'],
) {
  const { story } = await stories.getStory({ id }, call)
  const told = story?.revisions.flatMap(({ node }) => node?.id ?? []) ?? []
  const groups = [{ revisionIds: told }]
  const { pngs = [] } =
    told.length > 0 ? await revisions.readThumbnails({ groups, sizePx }, call) : {}
  const png = pngs[0] ?? new Uint8Array()
  return { png, etag: createHash('sha256').update(png).digest('base64url'), isProcessing: false }
}

function sizeIn(text: string | undefined) {
  if (text === undefined) return 0
  // The service rejects sizes out of its range, also this one.
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : -1
}

/** Requires an explicit image type, because clients also send lists that end with every type. */
function wantsPicture({ headers }: Input) {
  return /(^|,)\s*image\/(\*|png)\s*(;|,|$)/i.test(headers.accept ?? '')
}
