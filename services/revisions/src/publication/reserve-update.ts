import type { HandlerContext } from '@connectrpc/connect'
import { forwardDetached } from '@figbase/kit'
import type { ReserveUpdateResponse } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { getRevisionLocked } from '../queries/revisions.js'
import { isUpdateCommitted } from '../queries/unsettled-updates.js'

/** Commits with a reservation of catalog's, which is given back when nothing was committed. */
export async function committing<T>(
  ctx: Ctx,
  update: { id: string; growthBytes?: bigint; withParent?: boolean },
  call: HandlerContext,
  commit: (reserved: ReserveUpdateResponse) => Promise<T>,
): Promise<{ committed: T; reserved: ReserveUpdateResponse }> {
  // Detached: a hang-up half way would leave it unknown whether there is a reservation.
  const reserved = await ctx.catalog.reserveUpdate(update, forwardDetached(call))
  try {
    call.signal.throwIfAborted()
    return { committed: await commit(reserved), reserved }
  } catch (error) {
    await giveBack(ctx, update.id, reserved.updateId, call).catch((err: unknown) => {
      ctx.log.warn({ err, id: reserved.updateId }, 'a reservation could not be given back')
    })
    throw error
  }
}

/** Unless the connection broke after the commit: the job will finish what it began. */
async function giveBack(ctx: Ctx, revisionId: string, updateId: string, call: HandlerContext) {
  const isCommitted = await ctx.transact(async (tx) => {
    await getRevisionLocked(tx, revisionId)
    return isUpdateCommitted(tx, updateId)
  })
  if (!isCommitted) await ctx.catalog.abandonUpdate({ updateId }, forwardDetached(call))
}
