import type { CallOptions } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import type { UserContent } from 'ai'
import type { Ctx } from '../context.js'
import { withinBudget } from '../figure-context/budget.js'
import { readFigure } from '../figure-context/read-figure.js'
import { readParts } from '../figure-context/read-parts.js'
import { figureContent } from '../prompts/figure-content.js'
import { type DataPart, marked } from '../prompts/figure-data.js'

export type Target = { id: string; type: NodeType; workspaceId: string }

const assetRevision = NodeType.ASSET_REVISION

/** What a model gets to know of the target of a comment: the figure, or the name and the tables of the asset. */
export async function readTarget(
  ctx: Ctx,
  { id, type, workspaceId }: Target,
  tokensMax: number,
  as: CallOptions,
): Promise<Exclude<UserContent, string>> {
  const { node } = await ctx.catalog.getNode({ id, type }, as)
  const about: DataPart = { kind: 'about', text: `name: ${node?.name ?? ''}` }
  const revisionId = await newestRevision(ctx, id, type, as)
  if (!revisionId) return [{ type: 'text', text: marked(about) }]
  if (type === NodeType.FIGURE || type === NodeType.FIGURE_REVISION) {
    return figureContent(await readFigure(ctx, { id: revisionId, workspaceId }, tokensMax, as))
  }
  const { revision } = await ctx.revisions.getRevision({ id: revisionId, type: assetRevision }, as)
  const read = revision ? (await readParts(ctx, revision, as)).parts : []
  const { parts } = await withinBudget([about, ...read], tokensMax)
  return [{ type: 'text', text: parts.map(marked).join('\n\n') }]
}

async function newestRevision({ catalog }: Ctx, id: string, type: NodeType, as: CallOptions) {
  if (type === NodeType.FIGURE_REVISION || type === NodeType.ASSET_REVISION) return id
  const { ids } = await catalog.listNewestRevisions({ id, type, pageSize: 1 }, as)
  return ids[0]
}
