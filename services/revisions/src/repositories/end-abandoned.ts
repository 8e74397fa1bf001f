import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import type { GitImportRow } from '../db/schema.js'
import { noTotals } from '../domain/git-slots.js'
import { listWaitingImports } from '../queries/git-imports.js'
import { finishImport } from './start-import.js'

type EndCtx = Pick<Ctx, 'db' | 'transact' | 'startTask' | 'newId' | 'cfg'>

/** Ends an import that will not go on: its task was cancelled, or each attempt crashed the process. */
export async function endAbandoned(ctx: EndCtx, one: GitImportRow): Promise<void> {
  const { commit_id: commitId, refused } = one
  const isWaiting = one.state === 'WAITING'
  await finishImport(ctx, one, {
    state: isWaiting ? 'CANCELLED' : 'FAILED',
    error: isWaiting ? '' : 'its process ended in each attempt, or it was cancelled',
    ...{ commitId, refused, totals: noTotals },
  })
}

/** Ends the imports of these repositories that wait although they were cancelled: they must not stand for later ones. */
export async function endCancelled(
  ctx: EndCtx & Pick<Ctx, 'tasks'>,
  repositoryIds: string[],
): Promise<void> {
  const waiting = await listWaitingImports(ctx.db, repositoryIds)
  if (waiting.length === 0) return
  const taskIds = waiting.map((one) => one.task_id)
  const revoked = await ctx.tasks.listRevoked(taskIds).catch((error: unknown): string[] => {
    // They cannot begin either.
    if (hasCode(error, Code.Unavailable)) return []
    throw error
  })
  for (const one of waiting) if (revoked.includes(one.task_id)) await endAbandoned(ctx, one)
}
