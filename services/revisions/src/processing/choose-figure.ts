import type { CallOptions } from '@connectrpc/connect'
import type { TaskHandle } from '@figbase/kit/tasks'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { foldedName } from '../domain/figure-names.js'
import type { ChosenImage } from '../images/choose.js'
import { listNearest } from '../queries/assignments.js'
import { chooseByContent } from './choose-by-content.js'

/** What identifies the figure of a revision. */
export type RevisionFeatures = {
  revisionId: string
  analysisId: string
  /** From `figureNames`. */
  names: string[]
  image: ChosenImage | undefined
}

export type Chosen = { figureId: string; by: 'content' | 'name' | 'likeness' }

/**
 * Of 64 bits. Of the 84 figures of the corpus, rendered again, scaled or encoded otherwise, 98 in 100 are
 * within this distance of themselves; 89 find exactly their figure, none another one, and the rest also
 * match a nearly equal figure. Of 3486 pairs of different figures, 15 are within this distance: they also
 * look alike to people.
 */
export const distanceMax = 4

/**
 * The figure of an analysis that a revision belongs to, among those that its author can view: the one that a language
 * model chooses; without its choice, the one with its name, or else the one with the most similar picture. Undefined if
 * there is none or more than one.
 */
export async function chooseFigure(
  ctx: Ctx,
  features: RevisionFeatures,
  task: TaskHandle,
  as: CallOptions,
): Promise<Chosen | undefined> {
  if (ctx.cfg.autoAssignCandidatesMax === 0) return undefined
  let listed: Promise<Node[]> | undefined
  const listFigures = () => {
    listed ??= figuresOf(ctx, features.analysisId, as)
    return listed
  }
  const byAi = await chooseByContent(ctx, features, listFigures, task, as)
  if (byAi) return { figureId: byAi, by: 'content' }
  const named = features.names.length > 0 && byName(await listFigures(), features.names)
  if (named) return { figureId: named.id, by: 'name' }
  const figureId = await byLikeness(ctx, features, as)
  return figureId === undefined ? undefined : { figureId, by: 'likeness' }
}

function byName(figures: Node[], names: string[]): Node | undefined {
  for (const name of names) {
    const [only, ...more] = figures.filter((figure) => foldedName(figure.name) === foldedName(name))
    if (only && more.length === 0) return only
  }
  return undefined
}

/** The newest figures. Other temporary figures are not candidates. */
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
  { analysisId: id, image }: RevisionFeatures,
  as: CallOptions,
) {
  if (!image) return undefined
  const request = { id, type: NodeType.ANALYSIS, pageSize: cfg.autoAssignCandidatesMax }
  const { ids } = await catalog.listNewestRevisions(request, as)
  const [nearest, next] = await listNearest(db, ids, image.picture.likeness)
  if (!nearest || nearest.distance > distanceMax) return undefined
  return next?.distance === nearest.distance ? undefined : nearest.figure_id
}
