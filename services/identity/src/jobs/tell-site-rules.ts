import { actAsSystem, defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { getSiteSettings } from '../queries/site-settings.js'

const timeoutMs = 10_000

async function tell({ db, catalog }: Ctx, signal?: AbortSignal) {
  const { version, link_sharing_enabled: linksAllowed } = await getSiteSettings(db)
  const options = { ...actAsSystem(), timeoutMs, ...(signal && { signal }) }
  await catalog.setSiteRules({ version, linksAllowed }, options)
}

/** Idempotent, and tried for days: catalog follows the settings in the end. */
export const tellSiteRules = defineJob<Ctx, Record<string, never>>({
  name: 'tell-site-rules',
  attemptsMax: 25,
  timeoutMs: 2 * timeoutMs,
  run: (ctx, _, signal) => tell(ctx, signal),
})

/** At once, so that a change holds when it is answered; if catalog is away, the job will do it. */
export async function tellSiteRulesNow(ctx: Ctx): Promise<void> {
  try {
    await tell(ctx)
  } catch (err) {
    ctx.log.warn({ err }, 'catalog is left to be told of the settings by the job')
  }
}
