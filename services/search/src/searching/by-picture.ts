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
/** Pictures that are compared in detail. */
const candidatesMax = 200

/** Figure revisions with a picture like this one, the newest first among equals. */
export async function byPicture(
  ctx: Ctx,
  image: Uint8Array,
  filter: Filter,
  call: HandlerContext,
): Promise<Find> {
  const { figures, pictures } = await ctx.similar
  const rendered = ctx.revisions.renderPicture({ image, sizePx: sidePx }, forward(call))
  const [{ png }] = await Promise.all([rendered, figures.sync()])
  const picture = await pictures.queries.describe(Buffer.from(png), call.signal).catch(refused)
  const { pictures: index } = figures.indexes
  const candidates = await index.candidates(picture.global, filter, candidatesMax)
  const ids = candidates.map(({ id }) => id)
  const [others, times] = await Promise.all([
    readDescriptors(ctx.db, ids),
    listCreationTimes(ctx.db, ids),
  ])
  const compared = await index.compare(
    picture,
    others.filter(({ version }) => version === picture.version),
  )
  const timeOf = (id: string) => times.get(id) ?? 0
  const hits = compared
    .filter(({ score }) => score > 0)
    .map(({ id, score }) => ({ id, score: Math.min(1, score), highlights: [] }))
    .sort((a, b) => b.score - a.score || timeOf(b.id) - timeOf(a.id) || (a.id < b.id ? -1 : 1))
  return async (offset, limit) => hits.slice(offset, offset + limit)
}

function refused(error: unknown): never {
  throw error instanceof PictureError ? invalid('image', error.message) : error
}
