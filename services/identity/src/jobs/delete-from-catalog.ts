import { defineJob } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'

const timeoutMs = 60_000

/**
 * Deletes a user's data in catalog; each attempt continues where the last one stopped. It runs again after the
 * last access token has expired, since the token could still create data until then.
 */
export const deleteFromCatalog = defineJob<Ctx, { username: string }>({
  name: 'leave-catalog',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: async (ctx, { username }, signal) => {
    await ctx.people.leave({ username }, { ...actAsSystem(), timeoutMs, signal })
  },
})

/** Deletes at once, before the response; the job retries if catalog is unavailable. */
export async function deleteFromCatalogNow(ctx: Ctx, username: string): Promise<void> {
  try {
    await ctx.people.leave({ username }, { ...actAsSystem(), timeoutMs: 10_000 })
  } catch (err) {
    ctx.log.warn({ err, username }, 'deleting the user from catalog failed; the job will retry')
  }
}
