import { actAsSystem, defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'

const timeoutMs = 60_000

/**
 * Ends what somebody had in catalog; each attempt goes on where the last one ended. It runs once more when the
 * last access token has expired: until then something could be made with it.
 */
export const leaveCatalog = defineJob<Ctx, { username: string }>({
  name: 'leave-catalog',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: async (ctx, { username }, signal) => {
    await ctx.people.leave({ username }, { ...actAsSystem(), timeoutMs, signal })
  },
})

/** At once, so that it is so when the caller is told; if catalog is away, the job will do it. */
export async function leaveCatalogNow(ctx: Ctx, username: string): Promise<void> {
  try {
    await ctx.people.leave({ username }, { ...actAsSystem(), timeoutMs: 10_000 })
  } catch (err) {
    ctx.log.warn({ err, username }, 'what somebody had in catalog is left to the job')
  }
}
