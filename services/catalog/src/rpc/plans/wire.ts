import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import { PlanSchema, PromotionSchema, SubscriptionSchema } from '@figbase/proto/catalog/plans'
import type { PlanRow } from '../../queries/plans.js'
import type { PromotionRow } from '../../queries/promotions.js'
import type { SubscriptionRow } from '../../queries/subscriptions.js'

export const toPlan = (row: PlanRow) =>
  create(PlanSchema, {
    id: row.id,
    isDefault: row.is_default,
    terms: {
      name: row.name,
      description: row.description,
      monthlyCost: row.monthly_cost,
      annualCost: row.annual_cost,
      allowFlexibleStorage: row.allow_flexible_storage,
      computeEnabled: row.compute_enabled,
      idleShutdownRequired: row.idle_shutdown_required,
      isSelfService: row.is_self_service,
      ...defined({
        maxStorageBytes: row.max_storage_bytes,
        monthlyTokenQuota: row.monthly_token_quota,
        monthlyComputeSeconds: row.monthly_compute_seconds,
        maxUsers: row.max_users,
        deepInsightRate: row.deep_insight_rate,
        computeMaxRunningInstances: row.compute_max_running_instances,
        maxIdleSeconds: row.max_idle_seconds,
        defaultIdleSeconds: row.default_idle_seconds,
        maxDataVolumeGb: row.max_data_volume_gb,
      }),
    },
  })

type Defined<T> = { [K in keyof T]?: NonNullable<T[K]> }

function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null),
  ) as Defined<T>
}

export const toSubscription = (
  row: SubscriptionRow,
  nodeId: string,
  used: { storage: bigint; users: number },
) =>
  create(SubscriptionSchema, {
    plan: toPlan(row),
    computeOveragesEnabled: row.compute_overages_enabled,
    managedBy: row.holder_id === nodeId ? '' : row.holder_id,
    usedStorageBytes: used.storage,
    usedUsers: used.users,
    changedOn: toTimestampOrNone(row.changed_on),
  })

export const toPromotion = (row: PromotionRow) =>
  create(PromotionSchema, {
    code: row.code,
    planId: row.plan_id,
    createdOn: toTimestamp(row.created_on),
    expiresOn: toTimestampOrNone(row.expires_on),
    ...(row.uses_max !== null && { usesMax: row.uses_max }),
    uses: row.uses,
  })
