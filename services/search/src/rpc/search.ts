import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { type SearchRequest, SearchType } from '@figbase/proto/search'
import type { Ctx } from '../context.js'
import { type Filter, SearchUnavailable } from '../engine/port.js'
import { searchUnavailable, tooManySearches } from '../errors.js'
import type { Impl } from '../routes.js'
import { byMeaning } from '../searching/by-meaning.js'
import { byPicture } from '../searching/by-picture.js'
import { byWords, type Find } from '../searching/by-words.js'
import { readFilter } from '../searching/read-filter.js'
import { readableHits } from '../searching/readable-hits.js'

const limitDefault = 10
const types = [SearchType.KEYWORD, SearchType.TEXT, SearchType.SEMANTIC, SearchType.IMAGE]

export function search(ctx: Ctx): Impl['search'] {
  const { cfg } = ctx
  return async (req, call) => {
    const username = requireUser(call)
    checkRequest(req, cfg)
    await countSearch(ctx, req.type, username)
    const limit = Math.min(cfg.resultsMax, req.limit || limitDefault)
    const workspaceId = req.workspaceId.toLowerCase()
    const filter = await readFilter(ctx, workspaceId, call)
    if (!filter) return { limit, results: [] }
    try {
      const find = await findOf(ctx, req, filter, limit, call)
      return { limit, results: await readableHits(ctx, find, { limit, workspaceId }, call) }
    } catch (err) {
      if (!(err instanceof SearchUnavailable)) throw err
      ctx.log.warn({ err }, 'search is unavailable')
      throw searchUnavailable()
    }
  }
}

function findOf(
  ctx: Ctx,
  { type, query, image }: SearchRequest,
  filter: Filter,
  limit: number,
  call: HandlerContext,
): Find | Promise<Find> {
  if (type === SearchType.IMAGE) return byPicture(ctx, image, filter, limit, call)
  if (type === SearchType.SEMANTIC) return byMeaning(ctx, query, filter, call)
  return byWords(ctx, query, type === SearchType.KEYWORD, filter)
}

function checkRequest(
  { type, query, image, limit, workspaceId }: SearchRequest,
  { queryCharsMax, imageBytesMax }: Ctx['cfg'],
) {
  if (!types.includes(type)) throw invalid('search_type', 'is unknown')
  if (limit < 0) throw invalid('k', 'must be at least 1')
  if (workspaceId && !isUuid(workspaceId)) throw invalid('workspace', 'must be a UUID')
  if (type === SearchType.IMAGE) {
    if (image.length === 0) throw invalid('image', 'is required')
    if (image.length > imageBytesMax)
      throw invalid('image', `must have at most ${imageBytesMax} bytes`)
    return
  }
  if (query.trim() === '') throw invalid('query', 'is required')
  if (query.length > queryCharsMax)
    throw invalid('query', `must have at most ${queryCharsMax} characters`)
}

async function countSearch(
  { searchesOfUser, imageSearchesOfUser }: Ctx,
  type: SearchType,
  username: string,
) {
  const limiter = type === SearchType.IMAGE ? imageSearchesOfUser : searchesOfUser
  const allowance = await limiter.count(username)
  if (allowance.isExceeded) throw tooManySearches(allowance)
}
