import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { insertOfTask } from '../queries/live-events.js'

/** Broadcast subject that announces new events to all processes. */
export const liveSubject = 'tasks.live'

type NotifyCtx = Pick<Ctx, 'afterCommit' | 'announceLive'>

/** Must be the last statement of the transaction: it blocks other writers of events until the commit. */
export async function notifyOwner(ctx: NotifyCtx, tx: Tx, taskId: string): Promise<void> {
  await insertOfTask(tx, taskId)
  ctx.afterCommit(tx, ctx.announceLive)
}
