import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { SearchType } from '@figbase/proto/search'
import type { Ctx } from '../context.js'
import { SearchUnavailable } from '../engine/port.js'
import { searchUnavailable, tooManySearches } from '../errors.js'
import type { Impl } from '../routes.js'
import { byWords } from '../searching/by-words.js'
import { readFilter } from '../searching/read-filter.js'
import { readableHits } from '../searching/readable-hits.js'

const limitDefault = 10
const types = [SearchType.KEYWORD, SearchType.TEXT, SearchType.SEMANTIC, SearchType.IMAGE]

export function search(ctx: Ctx): Impl['search'] {
  const { cfg } = ctx
  return async (req, call) => {
    const username = requireUser(call)
    const { type, workspaceId } = req
    if (workspaceId && !isUuid(workspaceId)) throw invalid('workspace', 'must be a UUID')
    if (!types.includes(type)) throw invalid('search_type', 'is unknown')
    const limit = Math.min(cfg.resultsMax, req.limit || limitDefault)
    if (limit < 1) throw invalid('k', 'must be at least 1')
    checkQuery(req.query, cfg.queryCharsMax)
    const allowance = await ctx.searchesOfUser.count(username)
    if (allowance.isExceeded) throw tooManySearches(allowance)
    const filter = await readFilter(ctx, workspaceId, call)
    if (!filter) return { limit, results: [] }
    try {
      const find = byWords(ctx, req.query, type === SearchType.KEYWORD, filter)
      return { limit, results: await readableHits(ctx, find, { limit, workspaceId }, call) }
    } catch (err) {
      if (!(err instanceof SearchUnavailable)) throw err
      ctx.log.warn({ err }, 'the search engine is unavailable')
      throw searchUnavailable()
    }
  }
}

function checkQuery(query: string, charsMax: number) {
  if (query.trim() === '') throw invalid('query', 'is required')
  if (query.length > charsMax) throw invalid('query', `must have at most ${charsMax} characters`)
}
