import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import type { Uses } from '../queries/links.js'
import { toAssetUses } from '../wire.js'
import { discardRevision } from './discard-revision.js'
import { withRetry } from './with-retry.js'

export type Activation = {
  id: string
  position: number
  data: { id: string; size_bytes: bigint }[]
  silent: boolean
  /** Undefined for a revision of an asset. */
  uses: Uses | undefined
}

/**
 * Makes a committed revision visible. May be repeated. If catalog refuses for good (the figure was deleted
 * meanwhile), the revision is discarded.
 */
export async function activate(
  ctx: Ctx,
  { id, position, data, silent, uses }: Activation,
  as: CallOptions,
): Promise<Node> {
  try {
    const { node } = await ctx.catalog.activate(
      {
        id,
        position,
        silent,
        leaves: data.map((one) => ({ id: one.id, sizeBytes: one.size_bytes })),
        ...(uses && { uses: toAssetUses(uses) }),
      },
      as,
    )
    if (!node) throw new Error('catalog returned no node for an activation')
    return node
  } catch (error) {
    if (isFinal(error)) await discardRevision(ctx, id)
    throw error
  }
}

/** If the job of the revision runs in this process, it waits for the outcome. */
export function activateWithRetry(
  ctx: Ctx,
  activation: Activation,
  as: () => CallOptions,
): Promise<Node> {
  return withRetry(ctx, activation.id, () => activate(ctx, activation, as()))
}
