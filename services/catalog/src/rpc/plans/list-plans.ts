import type { Ctx } from '../../context.js'
import { listPlans as listRows } from '../../queries/plans.js'
import type { PlansImpl } from '../../routes.js'
import { toPlan } from './wire.js'

export const plansMax = 100

/** Open to every caller. */
export function listPlans({ db }: Ctx): PlansImpl['listPlans'] {
  return async () => ({ plans: (await listRows(db, plansMax)).map(toPlan) })
}
