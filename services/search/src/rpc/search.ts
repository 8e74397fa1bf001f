import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { type SearchRequest, SearchType } from '@figbase/proto/search'
import type { Ctx } from '../context.js'
import { foundTypeOf } from '../domain/found-types.js'
import {
  metadataKeyCharsMax,
  metadataToken,
  metadataValueCharsMax,
} from '../domain/metadata-tokens.js'
import { type Filter, SearchUnavailable } from '../engine/port.js'
import { searchUnavailable, tooManySearches } from '../errors.js'
import type { Impl } from '../routes.js'
import { byMeaning } from '../searching/by-meaning.js'
import { byPicture } from '../searching/by-picture.js'
import { byWords, type Find } from '../searching/by-words.js'
import { readFilter, type Selection } from '../searching/read-filter.js'
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
    const selection = selectionOf(req)
    const { workspaceId } = selection
    const filter = await readFilter(ctx, selection, call)
    if (!filter) return { limit, results: [] }
    try {
      const find = await findOf(ctx, req, filter, limit, call)
      const wanted = { limit, workspaceId, onlyStale: req.onlyStale }
      return { limit, results: await readableHits(ctx, find, wanted, call) }
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

function selectionOf(req: SearchRequest): Selection {
  const { workspaceId, analysisId, metadata, onlyStale } = req
  const types = onlyStale ? [NodeType.FIGURE] : req.types
  return {
    workspaceId: workspaceId.toLowerCase(),
    analysisId: analysisId.toLowerCase(),
    types: types.flatMap((type) => foundTypeOf(type) ?? []),
    metadata: metadata.map(({ key, value }) => metadataToken(key, value)),
  }
}

function checkRequest(
  req: SearchRequest,
  { queryCharsMax, imageBytesMax, metadataMax }: Ctx['cfg'],
) {
  const { type, query, image, limit, workspaceId, analysisId, metadata } = req
  if (!types.includes(type)) throw invalid('search_type', 'is unknown')
  if (limit < 0) throw invalid('k', 'must be at least 1')
  if (workspaceId && !isUuid(workspaceId)) throw invalid('workspace', 'must be a UUID')
  if (analysisId && !isUuid(analysisId)) throw invalid('analysis', 'must be a UUID')
  if (!req.types.every(foundTypeOf)) throw invalid('types', 'must be types that can be found')
  checkMetadata(req, metadataMax)
  checkStale(req)
  if (type === SearchType.IMAGE) {
    if (image.length === 0) throw invalid('image', 'is required')
    if (image.length > imageBytesMax)
      throw invalid('image', `must have at most ${imageBytesMax} bytes`)
    return
  }
  if (query.trim() === '' && metadata.length === 0) throw invalid('query', 'is required')
  if (query.length > queryCharsMax)
    throw invalid('query', `must have at most ${queryCharsMax} characters`)
}

function checkMetadata({ type, metadata }: SearchRequest, metadataMax: number) {
  if (metadata.length === 0) return
  if (type !== SearchType.KEYWORD && type !== SearchType.TEXT)
    throw invalid('metadata', 'is only for the search types keyword and text')
  if (metadata.length > metadataMax)
    throw invalid('metadata', `must have at most ${metadataMax} values`)
  for (const { key, value } of metadata) {
    if (key === '' || key.length > metadataKeyCharsMax)
      throw invalid('metadata', `must have keys of 1 to ${metadataKeyCharsMax} characters`)
    if (value.length > metadataValueCharsMax)
      throw invalid('metadata', `must have values of at most ${metadataValueCharsMax} characters`)
  }
}

function checkStale({ type, types, metadata, onlyStale }: SearchRequest) {
  if (!onlyStale) return
  if (type !== SearchType.KEYWORD && type !== SearchType.TEXT)
    throw invalid('is_stale', 'is only for the search types keyword and text')
  if (metadata.length > 0)
    throw invalid('is_stale', 'finds figures, which have no metadata: leave out `metadata`')
  if (types.some((one) => one !== NodeType.FIGURE))
    throw invalid('is_stale', 'finds only figures: leave out other types')
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
