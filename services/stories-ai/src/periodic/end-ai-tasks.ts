import { actAsSystem } from '@figbase/kit/rpc'
import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { type EmptyReply, listReplies } from '../queries/ai-replies.js'
import { endGeneration, listGenerations, type RunningGeneration } from '../queries/generations.js'
import { failedText, fillReply } from '../replies/fill-reply.js'

/** At most as many as tasks tells about with one call. */
const batch = 500
const first = '00000000-0000-0000-0000-000000000000'

/**
 * Ends what tasks left behind that could not do it themselves: their processes were killed at each attempt, or they were
 * cancelled before they began.
 */
export const endAiTasks: Periodic<Ctx> = {
  name: 'end-ai-tasks',
  everyMs: 10_000,
  idleMsMax: 60_000,
  async run(ctx, signal) {
    let found = 0
    for (let after = first; ; ) {
      const page = await listGenerations(ctx.db, after, batch)
      found += page.length
      for (const { story_id, task_id } of await overOf<RunningGeneration>(ctx, page, signal)) {
        await ctx.write((db) => endGeneration(db, story_id, task_id))
      }
      if (page.length < batch) break
      after = page.at(-1)?.story_id ?? first
    }
    for (let after = first; ; ) {
      const page = await listReplies(ctx.db, after, batch)
      found += page.length
      for (const { workspace_id: workspaceId, ...reply } of await overOf<EmptyReply>(
        ctx,
        page,
        signal,
      )) {
        await fillReply(ctx, { ...reply, workspaceId }, failedText('its task ended'))
      }
      if (page.length < batch) break
      after = page.at(-1)?.id ?? first
    }
    return found > 0
  },
}

/** Those whose task is over. */
async function overOf<T extends { task_id: string; has_job: boolean }>(
  { tasksService }: Ctx,
  rows: T[],
  signal: AbortSignal,
): Promise<T[]> {
  const ids = rows.filter(({ has_job }) => has_job).map(({ task_id }) => task_id)
  const revoked =
    ids.length > 0
      ? await tasksService.listRevoked({ ids }, { ...actAsSystem(), signal })
      : undefined
  const over = new Set(revoked?.ids)
  return rows.filter(({ task_id, has_job }) => !has_job || over.has(task_id))
}
