import type { CallOptions } from '@connectrpc/connect'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { folded } from '../domain/figure-names.js'
import { listNearest } from '../queries/assignments.js'

/** What is known of a revision. */
export type Clues = {
  analysisId: string
  /** As `figureNames` answers them. */
  names: string[]
  /** Difference hash of its picture, if it has one. */
  likeness: bigint | undefined
}

export type Chosen = { figureId: string; by: 'name' | 'likeness' }

/**
 * Of 64 bits. Of the 84 figures of the corpus, drawn again, scaled or encoded otherwise, 98 in 100 are so near
 * to themselves; 89 find their figure, none another, and the rest find it and its twin. Of 3486 pairs of
 * different figures, 15 are so near: they look alike to people too.
 */
export const distanceMax = 4

/**
 * The figure of an analysis to which a revision belongs, as far as its author can view: the one with its
 * name, else the one whose picture is most like it. Undefined when there is none, or more than one.
 */
export async function chooseFigure(
  ctx: Ctx,
  clues: Clues,
  as: CallOptions,
): Promise<Chosen | undefined> {
  if (ctx.cfg.autoAssignCandidatesMax === 0) return undefined
  const named = await byName(ctx, clues, as)
  if (named) return { figureId: named.id, by: 'name' }
  const figureId = await byLikeness(ctx, clues, as)
  return figureId === undefined ? undefined : { figureId, by: 'likeness' }
}

async function byName(ctx: Ctx, { analysisId, names }: Clues, as: CallOptions) {
  if (names.length === 0) return undefined
  const figures = await figuresOf(ctx, analysisId, as)
  for (const name of names) {
    const [only, ...more] = figures.filter((figure) => folded(figure.name) === folded(name))
    if (only && more.length === 0) return only
  }
  return undefined
}

/** The newest; of the others, those that wait themselves are no candidates. */
async function figuresOf({ catalog, cfg }: Ctx, parentId: string, as: CallOptions) {
  let figures: Node[] = []
  let pageToken = ''
  do {
    const page = await catalog.listChildren({ parentId, type: NodeType.FIGURE, pageToken }, as)
    figures = [...figures, ...page.nodes].slice(-cfg.autoAssignCandidatesMax)
    pageToken = page.nextPageToken
  } while (pageToken)
  return figures.filter((figure) => !figure.autoAssignPending)
}

async function byLikeness(
  { catalog, cfg, db }: Ctx,
  { analysisId: id, likeness }: Clues,
  as: CallOptions,
) {
  if (likeness === undefined) return undefined
  const request = { id, type: NodeType.ANALYSIS, pageSize: cfg.autoAssignCandidatesMax }
  const { ids } = await catalog.listNewestRevisions(request, as)
  const [nearest, next] = await listNearest(db, ids, likeness)
  if (!nearest || nearest.distance > distanceMax) return undefined
  return next?.distance === nearest.distance ? undefined : nearest.figure_id
}
