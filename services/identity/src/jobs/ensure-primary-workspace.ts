import { actAsSystem, defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'

const timeoutMs = 10_000

/** Idempotent, and tried for days: every user has a primary workspace in the end. */
export const ensurePrimaryWorkspace = defineJob<Ctx, { username: string }>({
  name: 'ensure-primary-workspace',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: async (ctx, { username }, signal) => {
    await ctx.catalog.ensurePrimaryWorkspace({ username }, { ...actAsSystem(), timeoutMs, signal })
  },
})

/** At once, so that a caller finds the workspace; if catalog is away, the job will do it. */
export async function ensurePrimaryWorkspaceNow(ctx: Ctx, username: string): Promise<void> {
  try {
    await ctx.catalog.ensurePrimaryWorkspace({ username }, { ...actAsSystem(), timeoutMs })
  } catch (err) {
    ctx.log.warn({ err, username }, 'the primary workspace is left to the job')
  }
}
