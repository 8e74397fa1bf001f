import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { patiently } from './patiently.js'
import { undoRevision } from './undo.js'

export type Activation = {
  id: string
  position: number
  leaves: { id: string; size_bytes: bigint }[]
  silent: boolean
}

/**
 * Makes a committed revision visible; may be repeated. When catalog refuses for good (the figure
 * was deleted meanwhile), the revision is removed again.
 */
export async function activate(
  ctx: Ctx,
  { id, position, leaves, silent }: Activation,
  as: CallOptions,
): Promise<Node> {
  try {
    const { node } = await ctx.catalog.activate(
      {
        id,
        position,
        silent,
        leaves: leaves.map((leaf) => ({ id: leaf.id, sizeBytes: leaf.size_bytes })),
      },
      as,
    )
    if (!node) throw new Error('catalog activated without a node')
    return node
  } catch (error) {
    if (isFinal(error)) await undoRevision(ctx, id)
    throw error
  }
}

/** Tries a few times; the job of the revision waits for the outcome when it runs in this process. */
export function activatePatiently(
  ctx: Ctx,
  activation: Activation,
  as: () => CallOptions,
): Promise<Node> {
  return patiently(ctx, activation.id, () => activate(ctx, activation, as()))
}
