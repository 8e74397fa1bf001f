import { defineJob } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'

const timeoutMs = 60_000

/** Deletes what a deleted account chose about notifications. */
export const deleteFromTasks = defineJob<Ctx, { username: string }>({
  name: 'leave-tasks',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: async (ctx, { username }, signal) => {
    const call = { ...actAsSystem(), timeoutMs, signal }
    await ctx.notifications.deleteNotificationSettings({ username }, call)
  },
})
