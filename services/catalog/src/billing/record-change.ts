import { digitsOf } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
import { recordHolders } from '../queries/billing-accounts.js'

/** The minor units of one unit of the currency of the installation. */
export const scaleOf = ({ cfg }: Pick<Ctx, 'cfg'>): number => 10 ** digitsOf(cfg.billing.currency)

/** Records what a holder pays for from now on. Does nothing while billing is off. */
export async function recordChange(ctx: Ctx, db: Db, holderId: string): Promise<void> {
  if (ctx.cfg.billing.provider === 'off') return
  await recordHolders(db, [holderId], scaleOf(ctx))
}
