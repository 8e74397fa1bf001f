import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { insertOfTask, insertShared, type SharedEvent } from '../queries/live-events.js'

/** On which the processes hear that there is something to be read. */
export const liveSubject = 'tasks.live'

type Told = Pick<Ctx, 'afterCommit' | 'announceLive'>

/** The last statement of its transaction: others wait for their turn until it is committed. */
export async function tellOwner(ctx: Told, tx: Tx, taskId: string): Promise<void> {
  await insertOfTask(tx, taskId)
  ctx.afterCommit(tx, ctx.announceLive)
}

/** As `tellOwner`, to those who may view the workspaces, and the objects where there is one. */
export async function tellWorkspaces(ctx: Told, tx: Tx, events: SharedEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertShared(tx, events)
  ctx.afterCommit(tx, ctx.announceLive)
}
