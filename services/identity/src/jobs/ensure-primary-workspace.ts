import { defineJob } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'

const timeoutMs = 10_000

/** Idempotent; retried for days, so that every user eventually has a primary workspace. */
export const ensurePrimaryWorkspace = defineJob<Ctx, { username: string }>({
  name: 'ensure-primary-workspace',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: async (ctx, { username }, signal) => {
    await ctx.catalog.ensurePrimaryWorkspace({ username }, { ...actAsSystem(), timeoutMs, signal })
  },
})

/** Creates the workspace at once, so that the caller finds it; the job retries if catalog is unavailable. */
export async function ensurePrimaryWorkspaceNow(ctx: Ctx, username: string): Promise<void> {
  try {
    await ctx.catalog.ensurePrimaryWorkspace({ username }, { ...actAsSystem(), timeoutMs })
  } catch (err) {
    ctx.log.warn({ err, username }, 'creating the primary workspace failed; the job will retry')
  }
}
