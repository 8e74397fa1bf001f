import { actAsSystem } from '@figbase/kit/rpc'
import { TaskStatus } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'

const callTimeoutMs = 2000

/**
 * Cancels a task whose result nobody needs any more: a running one stops within a second. If the tasks service does
 * not respond, the task ends when it notices that it was replaced.
 */
export async function revokeTask(
  { tasksService, log }: Pick<Ctx, 'tasksService' | 'log'>,
  id: string,
): Promise<void> {
  const request = { id, status: TaskStatus.REVOKED }
  await tasksService
    .reportTask(request, { ...actAsSystem(), timeoutMs: callTimeoutMs })
    .catch((err: unknown) => log.warn({ err, id }, 'cancelling a task failed'))
}
