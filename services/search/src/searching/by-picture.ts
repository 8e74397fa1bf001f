import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Filter } from '../engine/port.js'
import { PictureError } from '../pictures/picture-error.js'
import { readDescriptors } from '../queries/likenesses.js'
import { listCreationTimes } from '../queries/places.js'
import type { Find } from './by-words.js'

/** The longer side of the picture that is described; thumbnails have the same. */
const sidePx = 1024
/** Revisions whose pictures may be compared in detail: those of one figure often have the same picture. */
const candidatesMax = 500
/** Different pictures that are compared in detail; more for more results. */
const picturesMin = 30

/** Figure revisions with a picture like this one, the newest first among equals. */
export async function byPicture(
  ctx: Ctx,
  image: Uint8Array,
  filter: Filter,
  resultsMax: number,
  call: HandlerContext,
): Promise<Find> {
  const { pictures, describing } = await ctx.similar
  const { png } = await ctx.revisions.renderPicture({ image, sizePx: sidePx }, forward(call))
  const picture = await describing.queries.describe(Buffer.from(png), call.signal).catch(refused)
  const { compared, comparable, times } = await pictures.use(async (index) => {
    const candidates = await index.candidates(picture.global, filter, candidatesMax)
    const ids = candidates.map(({ id }) => id)
    const [others, times] = await Promise.all([
      readDescriptors(ctx.db, ids, Math.max(picturesMin, resultsMax)),
      listCreationTimes(ctx.db, ids),
    ])
    const comparable = others
      .filter(({ version }) => version === picture.version)
      .map(({ ids, ...descriptor }, n) => ({ id: String(n), ids, ...descriptor }))
    return { compared: await index.compare(picture, comparable), comparable, times }
  })
  const timeOf = (id: string) => times.get(id) ?? 0
  const hits = compared
    .filter(({ score }) => score > 0)
    .flatMap(({ id, score }) =>
      (comparable[Number(id)]?.ids ?? []).map((each) => ({
        id: each,
        score: Math.min(1, score),
        highlights: [],
      })),
    )
    .sort((a, b) => b.score - a.score || timeOf(b.id) - timeOf(a.id) || (a.id < b.id ? -1 : 1))
  return async (offset, limit) => hits.slice(offset, offset + limit)
}

function refused(error: unknown): never {
  throw error instanceof PictureError ? invalid('image', error.message) : error
}
