import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { isFinal } from '../errors.js'
import { undoRevision } from './undo.js'

const pausesMs = [100, 500]

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

/**
 * Tries a few times: a caller who waits a second is better off than one whose answer is a guess. The
 * job of the revision waits for the outcome when it runs in this process.
 */
export function activatePatiently(
  ctx: Ctx,
  activation: Activation,
  as: () => CallOptions,
): Promise<Node> {
  const activating = tryTimes(ctx, activation, as)
  const outcome = activating.then(
    () => true,
    () => false,
  )
  ctx.shown.set(activation.id, outcome)
  return activating
}

async function tryTimes(ctx: Ctx, activation: Activation, as: () => CallOptions) {
  for (const pauseMs of pausesMs) {
    try {
      return await activate(ctx, activation, as())
    } catch (error) {
      if (isFinal(error)) throw error
      await sleep(pauseMs)
    }
  }
  return activate(ctx, activation, as())
}
