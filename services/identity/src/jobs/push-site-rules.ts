import { defineJob } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { getSiteSettings } from '../queries/site-settings.js'

const timeoutMs = 10_000

async function pushRules({ db, catalog }: Ctx, signal?: AbortSignal) {
  const { version, link_sharing_enabled: linksAllowed } = await getSiteSettings(db)
  const options = { ...actAsSystem(), timeoutMs, ...(signal && { signal }) }
  await catalog.setSiteRules({ version, linksAllowed }, options)
}

/** Idempotent; retried for days, so that catalog eventually has the current settings. */
export const pushSiteRules = defineJob<Ctx, Record<string, never>>({
  name: 'tell-site-rules',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: (ctx, _, signal) => pushRules(ctx, signal),
})

/** Pushes at once, so that a change applies before the response; the job retries if catalog is unavailable. */
export async function pushSiteRulesNow(ctx: Ctx): Promise<void> {
  try {
    await pushRules(ctx)
  } catch (err) {
    ctx.log.warn({ err }, 'pushing the site settings to catalog failed; the job will retry')
  }
}
