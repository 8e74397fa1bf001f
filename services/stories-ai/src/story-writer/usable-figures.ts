import type { CallOptions } from '@connectrpc/connect'
import { type Node, NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

/** Figures about which the caller may use AI, in the order of the story. */
export type UsableFigures = { figures: Node[]; omissions: string[] }

/** COMMENT on the revisions, because a link alone sends nothing to a model. One call to catalog. */
export async function usableFigures(
  { catalog, cfg }: Pick<Ctx, 'catalog' | 'cfg'>,
  ids: string[],
  as: CallOptions,
): Promise<UsableFigures> {
  if (ids.length === 0) return { figures: [], omissions: [] }
  const type = NodeType.FIGURE_REVISION
  const request = { ids, type, permission: Permission.COMMENT, withoutLinks: true }
  const { nodes } = await catalog.resolveNodes(request, as)
  const figures = nodes.slice(0, cfg.ai.storyFiguresMax)
  const omissions: string[] = []
  const refused = ids.length - nodes.length
  if (refused > 0) omissions.push(`${refused} figures that you may not comment on`)
  const more = nodes.length - figures.length
  if (more > 0) omissions.push(`${more} figures: at most ${figures.length} are sent`)
  return { figures, omissions }
}
