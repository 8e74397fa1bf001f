import type { JsonValue } from '@bufbuild/protobuf'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { insertOfTask, insertShared } from '../queries/live-events.js'

/** On which the processes hear that there is something to be read. */
export const liveSubject = 'tasks.live'

type Told = Pick<Ctx, 'afterCommit' | 'announceLive'>

/** The last statement of its transaction: others wait for their turn until it is committed. */
export async function tellOwner(ctx: Told, tx: Tx, taskId: string): Promise<void> {
  await insertOfTask(tx, taskId)
  ctx.afterCommit(tx, ctx.announceLive)
}

/** As `tellOwner`, to those who may view the workspace, and the object if one is given. */
export async function tellWorkspace(
  ctx: Told,
  tx: Tx,
  workspaceId: string,
  objectId: string | null,
  message: JsonValue,
): Promise<void> {
  await insertShared(tx, workspaceId, objectId, message)
  ctx.afterCommit(tx, ctx.announceLive)
}
