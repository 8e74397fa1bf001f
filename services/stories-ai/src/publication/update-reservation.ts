import type { NodeType, ReserveUpdateResponse } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { findStoryLocked, listExistingIds } from '../queries/stories.js'
import type { Acting } from './acting.js'

export type Reservation = {
  /** The story. */
  id: string
  type: NodeType
  growthBytes: bigint
  texts: { name: string; description?: string }
}

/**
 * Reserves an update in catalog and commits it. If nothing was committed, the reservation is abandoned. `commit` may
 * only throw if it will not commit later.
 */
export async function withUpdateReservation<T>(
  ctx: Ctx,
  reservation: Reservation,
  acting: Acting,
  commit: (reserved: ReserveUpdateResponse) => Promise<T | undefined>,
): Promise<{ committed: T | undefined; reserved: ReserveUpdateResponse }> {
  const reserved = await ctx.catalog.reserveUpdate(reservation, acting.detached())
  const abandon = () =>
    abandonUpdate(ctx, reservation.id, reserved, acting).catch((err: unknown) =>
      // Catalog settles reservations later.
      ctx.log.warn({ err, id: reserved.updateId }, 'abandoning a reservation failed'),
    )
  try {
    acting.signal.throwIfAborted()
    const committed = await commit(reserved)
    if (committed === undefined) await abandon()
    return { committed, reserved }
  } catch (error) {
    await abandon()
    throw error
  }
}

/** Checks under the lock of the story whether the update was committed all the same. */
async function abandonUpdate(
  ctx: Ctx,
  storyId: string,
  { updateId }: ReserveUpdateResponse,
  acting: Acting,
) {
  const isCommitted = await ctx.transact(async (tx) => {
    await findStoryLocked(tx, storyId)
    return (await listExistingIds(tx, [updateId])).length > 0
  })
  if (!isCommitted) await ctx.catalog.abandonUpdate({ updateId }, acting.detached())
}
