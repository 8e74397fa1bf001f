import type { Ctx } from './context.js'
import type { Tier } from './domain/tiers.js'
import { computeUnavailable, unknownTier } from './errors.js'

/** Why nothing can be launched here, as a sentence; undefined if it can. */
export async function unavailableReason({ driver }: Pick<Ctx, 'driver'>) {
  if (driver) return driver.unavailableReason()
  return 'compute instances are switched off in this installation'
}

/** 503 if nothing can be launched here. */
export async function requireAvailable(ctx: Pick<Ctx, 'driver'>): Promise<void> {
  const reason = await unavailableReason(ctx)
  if (reason !== undefined) throw computeUnavailable(reason)
}

/** The tier with this id; 400 naming the member `tier` if there is none. */
export function checkedTier(tiers: Tier[], id: string): Tier {
  const tier = tiers.find((one) => one.id === id)
  if (!tier) {
    const ids = tiers.map((one) => one.id)
    throw unknownTier('tier', ids)
  }
  return tier
}
