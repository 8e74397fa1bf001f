import { invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireSystem } from '@figbase/kit/rpc'
import type { NodeType } from '@figbase/proto/catalog'
import { recordChange } from '../../billing/record-change.js'
import type { Ctx } from '../../context.js'
import type { Db } from '../../db/schema.js'
import { subjectOf } from '../../domain/subject.js'
import { managedByOrganization } from '../../errors.js'
import { checkPromotionLimit } from '../../limits.js'
import { findPlan } from '../../queries/plans.js'
import { usePromotion } from '../../queries/promotions.js'
import {
  changeSubscription as change,
  countUsers,
  findSubscription,
  getSubscriptionRow,
  listSubscriptions,
  sumStorage,
} from '../../queries/subscriptions.js'
import type { PlansImpl } from '../../routes.js'
import { authorizeContainer } from '../authorize-container.js'
import { toPlan, toSubscription } from './wire.js'

export function getSubscription(ctx: Ctx): PlansImpl['getSubscription'] {
  return async (req, call) => {
    const { id } = await authorizeContainer(ctx.db, holderOf(req), subjectOf(call))
    return { subscription: await subscriptionOf(ctx.db, id) }
  }
}

export function getPlanTerms({ db }: Ctx): PlansImpl['getPlanTerms'] {
  return async ({ workspaceId }) => {
    const row = isUuid(workspaceId) ? await findSubscription(db, workspaceId) : undefined
    const terms = row && toPlan(row).terms
    if (!terms) throw notFound('this workspace')
    return {
      holderId: row.holder_id,
      organizationId: row.organization_id ?? '',
      terms,
      computeOveragesEnabled: row.compute_overages_enabled,
    }
  }
}

const workspacesMax = 1000

export function listPlanTerms({ db }: Ctx): PlansImpl['listPlanTerms'] {
  return async ({ workspaceIds }, call) => {
    requireSystem(call)
    if (workspaceIds.length > workspacesMax) {
      throw invalid('workspace_ids', `must have at most ${workspacesMax} items`)
    }
    if (!workspaceIds.every(isUuid)) throw invalid('workspace_ids', 'must be UUIDs')
    const rows = await listSubscriptions(db, workspaceIds)
    const plans = rows.flatMap((row) => {
      const { terms } = toPlan(row)
      if (!terms) return []
      const { node_id: workspaceId, holder_id: holderId } = row
      return {
        workspaceId,
        holderId,
        terms,
        computeOveragesEnabled: row.compute_overages_enabled,
      }
    })
    return { plans }
  }
}

export function changeSubscription(ctx: Ctx): PlansImpl['changeSubscription'] {
  return async (req, call) => {
    const { username, isStaff } = principal(call)
    const subject = subjectOf(call)
    const subscription = await ctx.transact(async (tx) => {
      const holder = await authorizeContainer(tx, holderOf(req), subject)
      if (holder.organization_id) throw managedByOrganization()
      const { planId, computeOveragesEnabled } = req
      if (planId === undefined && computeOveragesEnabled === undefined) {
        throw invalid('plan', 'is required')
      }
      if (planId !== undefined) await checkChoice(tx, planId, isStaff)
      const changes = { planId: planId ?? null, overages: computeOveragesEnabled ?? null }
      await change(tx, holder.id, changes, username)
      await recordChange(ctx, tx, holder.id)
      return subscriptionOf(tx, holder.id)
    })
    return { subscription }
  }
}

const holderOf = ({ nodeId: id, type }: { nodeId: string; type: NodeType }) => ({ id, type })

async function checkChoice(db: Db, planId: string, isStaff: boolean) {
  const plan = isUuid(planId) ? await findPlan(db, planId) : undefined
  if (!plan) throw invalid('plan', 'does not exist')
  if (!plan.is_self_service && !isStaff) throw invalid('plan', 'can only be chosen by staff')
}

export function applyPromotion(ctx: Ctx): PlansImpl['applyPromotion'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const { username } = subject
    await checkPromotionLimit(ctx.limits, username)
    const plan = await ctx.transact(async (tx) => {
      const holder = await authorizeContainer(tx, holderOf(req), subject)
      if (holder.organization_id) throw managedByOrganization()
      if (!req.code) throw invalid('promotion_code', 'is required')
      const planId = await usePromotion(tx, req.code.trim().toUpperCase(), holder.id, username)
      if (!planId) return undefined
      await change(tx, holder.id, { planId, overages: null }, username)
      await recordChange(ctx, tx, holder.id)
      return getSubscriptionRow(tx, holder.id)
    })
    if (!plan) {
      await ctx.limits.failedPromotions.count(username)
      throw invalid('promotion_code', 'is unknown, expired or used up')
    }
    return { plan: toPlan(plan) }
  }
}

async function subscriptionOf(db: Db, nodeId: string) {
  const row = await getSubscriptionRow(db, nodeId)
  const used = {
    storage: await sumStorage(db, row.holder_id),
    users: (await countUsers(db, row.holder_id, '')).users,
  }
  return toSubscription(row, nodeId, used)
}
