import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'

/** Open to every caller. */
export function listTiers({ cfg }: Ctx): Impl['listTiers'] {
  return async () => ({ tiers: cfg.tiers })
}
