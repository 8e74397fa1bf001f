import { invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireStaff } from '@figbase/kit/rpc'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Ctx } from '../../context.js'
import { checkedTerms } from '../../domain/plan-terms.js'
import { planInUse } from '../../errors.js'
import {
  deletePlan as deleteRow,
  findPlan,
  insertPlan,
  listPlans,
  lockPlans,
  unsetDefault,
  updatePlan as updateRow,
} from '../../queries/plans.js'
import type { PlansImpl } from '../../routes.js'
import { plansMax } from './list-plans.js'
import { recordAction } from './record.js'
import { toPlan } from './wire.js'

const { CREATE_PLAN, CHANGE_PLAN, DELETE_PLAN } = StaffActionKind

export function createPlan(ctx: Ctx): PlansImpl['createPlan'] {
  return async ({ terms, isDefault }, call) => {
    requireStaff(call)
    const checked = checkedTerms(terms)
    await recordAction(ctx, call, CREATE_PLAN, checked.name)
    const id = ctx.newId()
    const plan = await ctx.transact(async (tx) => {
      await lockPlans(tx)
      const plans = await listPlans(tx, plansMax)
      if (plans.length === plansMax)
        throw invalid('name', `there are already ${plansMax} plans, which is the maximum`)
      if (isDefault) await unsetDefault(tx, id)
      const plan = await insertPlan(tx, id, isDefault, checked)
      if (!plan) throw new Error('plan was not inserted')
      await ctx.record(tx, call, () => ({ plan: toPlan(plan) }))
      return plan
    })
    return { plan: toPlan(plan) }
  }
}

export function updatePlan(ctx: Ctx): PlansImpl['updatePlan'] {
  return async ({ id, terms, isDefault }, call) => {
    requireStaff(call)
    if (!isUuid(id)) throw notFound('this plan')
    const checked = checkedTerms(terms)
    await recordAction(ctx, call, CHANGE_PLAN, checked.name)
    const plan = await ctx.transact(async (tx) => {
      await lockPlans(tx)
      if (isDefault && (await findPlan(tx, id))) await unsetDefault(tx, id)
      return updateRow(tx, id, isDefault, checked)
    })
    if (!plan) throw notFound('this plan')
    return { plan: toPlan(plan) }
  }
}

export function deletePlan(ctx: Ctx): PlansImpl['deletePlan'] {
  return async ({ id }, call) => {
    requireStaff(call)
    const plan = isUuid(id) ? await findPlan(ctx.db, id) : undefined
    if (!plan) throw notFound('this plan')
    await recordAction(ctx, call, DELETE_PLAN, plan.name)
    await ctx.transact(async (tx) => {
      await lockPlans(tx)
      if (await deleteRow(tx, id)) return
      throw (await findPlan(tx, id)) ? planInUse() : notFound('this plan')
    })
    return {}
  }
}
