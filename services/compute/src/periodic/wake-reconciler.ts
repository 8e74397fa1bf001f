import type { Periodic } from '@figbase/kit/service'
import { wakeReconciler } from '../change.js'
import type { Ctx } from '../context.js'

/** Lets the reconciler look whether there is anything to do: runs that no row knows, or instances that it left. */
export const wakeReconcilerPeriodically: Periodic<Ctx> = {
  name: 'wake-reconciler',
  everyMs: 60_000,
  async run(ctx) {
    if (ctx.driver) await ctx.transact((tx) => wakeReconciler(ctx, tx))
  },
}
