import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { deleteStories, markActivated } from '../queries/stories.js'

export type Activation = { id: string; sizeBytes: bigint; silent: boolean }

/**
 * Makes a committed story visible. May be repeated. If catalog refuses for good (the workspace was deleted meanwhile),
 * the story is removed.
 */
export async function activate(
  ctx: Ctx,
  { id, sizeBytes, silent }: Activation,
  as: CallOptions,
): Promise<Node> {
  try {
    const { node } = await ctx.catalog.activate({ id, silent, ownBytes: sizeBytes }, as)
    if (!node) throw new Error('catalog returned no node for an activation')
    await ctx.write((db) => markActivated(db, id))
    return node
  } catch (error) {
    if (isFinal(error)) await ctx.write((db) => deleteStories(db, [id]))
    throw error
  }
}
