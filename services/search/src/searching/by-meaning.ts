import type { HandlerContext } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { EmbedderError } from '../embedding/port.js'
import type { Filter } from '../engine/port.js'
import { fuseHits, type ScoredHit } from '../fusion/fuse-hits.js'
import { listNewestRevisions } from '../queries/places.js'
import { parseQuery } from '../text/parse-query.js'
import type { Find } from './by-words.js'

/** Hits of each kind that are fused: more than the results, because some may be dropped. */
const hitsMax = ({ cfg }: Ctx) => 2 * cfg.resultsMax

/** Figure revisions with a similar meaning, or with some of the words. Without a model, the words alone count. */
export async function byMeaning(
  ctx: Ctx,
  text: string,
  filter: Filter,
  call: HandlerContext,
): Promise<Find> {
  if (filter.types && !filter.types.includes('figure_revision')) return async () => []
  const [words, vectors] = await Promise.all([
    figuresWithWords(ctx, text, filter),
    figuresNearby(ctx, text, filter, call.signal),
  ])
  const hits = fuseHits(words, vectors, hitsMax(ctx))
  return async (offset, limit) =>
    hits.slice(offset, offset + limit).map((hit) => ({ ...hit, highlights: [] }))
}

/** The words of a figure count for its newest revision. */
async function figuresWithWords(ctx: Ctx, text: string, filter: Filter): Promise<ScoredHit[]> {
  const { db, engine } = ctx
  const found = await engine.find(
    parseQuery(text, 'any'),
    { ...filter, types: ['figure', 'figure_revision'] },
    { limit: hitsMax(ctx), offset: 0, withHighlights: false },
  )
  const newest = await listNewestRevisions(
    db,
    found.map(({ id }) => id),
  )
  const scores = new Map<string, number>()
  for (const { id, score } of found) {
    const revision = newest.get(id) ?? id
    if (newest.get(id) === null) continue
    scores.set(revision, Math.max(score, scores.get(revision) ?? 0))
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

async function figuresNearby(
  ctx: Ctx,
  text: string,
  filter: Filter,
  signal: AbortSignal,
): Promise<ScoredHit[]> {
  const { similar, log } = ctx
  const { embedders, nearest } = await similar
  if (!embedders) return []
  try {
    const [vector] = await embedders.queries.embedTexts([text], signal)
    return vector ? await nearest(vector, filter, hitsMax(ctx)) : []
  } catch (err) {
    if (!(err instanceof EmbedderError)) throw err
    log.warn({ err }, 'embedding a query failed: searching by words only')
    return []
  }
}
