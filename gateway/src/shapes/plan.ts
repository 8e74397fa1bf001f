import type { Plan, Promotion, StorageSettings, Subscription } from '@figbase/proto/catalog/plans'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import { datetime, isoOrNull, uuid } from './common.js'

const large = z.int().min(0).nullable()
const limit = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullable()

/** A limit of null means unlimited. */
export const planSchema = z
  .object({
    api_id: uuid,
    name: z.string(),
    description: z.string(),
    monthly_cost: z.number(),
    annual_cost: z.number(),
    max_storage_bytes: large,
    max_users: limit,
    allow_flexible_storage: z.boolean(),
    monthly_token_quota: large,
    deep_insight_rate: limit,
    compute_enabled: z.boolean(),
    compute_max_running_instances: limit,
    idle_shutdown_required: z.boolean(),
    max_idle_seconds: limit,
    default_idle_seconds: limit,
    effective_max_data_volume_gb: limit,
    monthly_compute_seconds: large,
    is_self_service: z.boolean(),
    is_default: z.boolean(),
  })
  .meta({ id: 'Plan', base: 'PlanUpdate', description: 'A plan. A limit of null means unlimited.' })

export function planShape({ id, terms, isDefault }: Plan) {
  if (!terms) throw new Error('plan without terms in the response of catalog')
  return {
    api_id: id,
    name: terms.name,
    description: terms.description,
    monthly_cost: terms.monthlyCost,
    annual_cost: terms.annualCost,
    max_storage_bytes: numberOrNull(terms.maxStorageBytes),
    max_users: terms.maxUsers ?? null,
    allow_flexible_storage: terms.allowFlexibleStorage,
    monthly_token_quota: numberOrNull(terms.monthlyTokenQuota),
    deep_insight_rate: terms.deepInsightRate ?? null,
    compute_enabled: terms.computeEnabled,
    compute_max_running_instances: terms.computeMaxRunningInstances ?? null,
    idle_shutdown_required: terms.idleShutdownRequired,
    max_idle_seconds: terms.maxIdleSeconds ?? null,
    default_idle_seconds: terms.defaultIdleSeconds ?? null,
    effective_max_data_volume_gb: terms.maxDataVolumeGb ?? null,
    monthly_compute_seconds: numberOrNull(terms.monthlyComputeSeconds),
    is_self_service: terms.isSelfService,
    is_default: isDefault,
  }
}

const numberOrNull = (value: bigint | undefined) => (value === undefined ? null : Number(value))

export const subscriptionSchema = z
  .object({
    plan: planSchema,
    compute_overages_enabled: z.boolean(),
    managed_by_organization: z.boolean(),
    organization: uuid.nullable(),
    used_storage_bytes: z.int(),
    used_users: z.int(),
    changed_on: datetime.nullable(),
  })
  .meta({
    id: 'Subscription',
    description: 'The plan of a workspace or an organization, and its usage.',
  })

export function subscriptionShape(subscription: Subscription) {
  const { plan, managedBy } = subscription
  if (!plan) throw new Error('subscription without a plan in the response of catalog')
  return {
    plan: planShape(plan),
    compute_overages_enabled: subscription.computeOveragesEnabled,
    managed_by_organization: managedBy !== '',
    organization: managedBy || null,
    used_storage_bytes: Number(subscription.usedStorageBytes),
    used_users: subscription.usedUsers,
    changed_on: isoOrNull(subscription.changedOn),
  }
}

export const promotionSchema = z
  .object({
    promotion_code: z.string(),
    plan: uuid,
    created_on: datetime,
    expiry: datetime.nullable(),
    uses_max: z.int().nullable(),
    uses: z.int(),
  })
  .meta({ id: 'PromotionCode', description: 'A promotion code.' })

export const promotionShape = (promotion: Promotion) => ({
  promotion_code: promotion.code,
  plan: promotion.planId,
  created_on: isoOrNull(promotion.createdOn),
  expiry: isoOrNull(promotion.expiresOn),
  uses_max: promotion.usesMax ?? null,
  uses: promotion.uses,
})

export const storageSchema = z
  .object({ vendor: z.string(), params: z.unknown() })
  .meta({ id: 'Storage', description: 'Where data is stored.' })

export const storageShape = ({ vendor, paramsJson }: StorageSettings) => ({
  vendor,
  params: paramsJson ? new RawJson(paramsJson) : null,
})
