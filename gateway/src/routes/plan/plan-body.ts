import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PlanTermsSchema } from '@figbase/proto/catalog/plans'
import { z } from 'zod'
import { planSchema } from '../../shapes/plan.js'
import { closedBody } from '../body-members.js'

const whole = z.int('must be a whole number or null').min(0, 'must not be negative')
const large = whole.nullish()
const limit = whole.max(2 ** 31 - 1, `must be at most ${2 ** 31 - 1}`).nullish()
const yesOrNo = z.boolean('must be true or false').optional()
const cost = z.number('must be a number').optional()

/** A limit that is null, or omitted in a new plan, means unlimited. */
const members = {
  name: z.string('must be a string'),
  description: z.string('must be a string').optional(),
  monthly_cost: cost,
  annual_cost: cost,
  max_storage_bytes: large,
  max_users: limit,
  allow_flexible_storage: yesOrNo,
  monthly_token_quota: large,
  deep_insight_rate: limit,
  compute_enabled: yesOrNo,
  compute_max_running_instances: limit,
  idle_shutdown_required: yesOrNo,
  max_idle_seconds: limit,
  default_idle_seconds: limit,
  effective_max_data_volume_gb: limit,
  monthly_compute_seconds: large,
  is_self_service: yesOrNo,
  is_default: yesOrNo,
}

export const planBody = closedBody(members, planSchema).meta({
  id: 'PlanCreate',
  base: 'PlanUpdate',
  description: 'The members of a new plan.',
})
export const planUpdateBody = planBody
  .partial()
  .meta({ id: 'PlanUpdate', description: 'The members of a plan to change.' })

export type PlanBody = z.output<typeof planBody>

export function termsOf(body: PlanBody): MessageInitShape<typeof PlanTermsSchema> {
  const { max_storage_bytes, monthly_token_quota, max_users, deep_insight_rate } = body
  const { max_idle_seconds, default_idle_seconds, effective_max_data_volume_gb } = body
  const { compute_max_running_instances: instances, monthly_compute_seconds: seconds } = body
  return {
    name: body.name,
    description: body.description ?? '',
    monthlyCost: body.monthly_cost ?? 0,
    annualCost: body.annual_cost ?? 0,
    allowFlexibleStorage: body.allow_flexible_storage ?? false,
    computeEnabled: body.compute_enabled ?? false,
    idleShutdownRequired: body.idle_shutdown_required ?? false,
    isSelfService: body.is_self_service ?? false,
    ...(typeof max_storage_bytes === 'number' && { maxStorageBytes: BigInt(max_storage_bytes) }),
    ...(typeof monthly_token_quota === 'number' && {
      monthlyTokenQuota: BigInt(monthly_token_quota),
    }),
    ...(typeof max_users === 'number' && { maxUsers: max_users }),
    ...(typeof deep_insight_rate === 'number' && { deepInsightRate: deep_insight_rate }),
    ...(typeof instances === 'number' && { computeMaxRunningInstances: instances }),
    ...(typeof max_idle_seconds === 'number' && { maxIdleSeconds: max_idle_seconds }),
    ...(typeof default_idle_seconds === 'number' && { defaultIdleSeconds: default_idle_seconds }),
    ...(typeof effective_max_data_volume_gb === 'number' && {
      maxDataVolumeGb: effective_max_data_volume_gb,
    }),
    ...(typeof seconds === 'number' && { monthlyComputeSeconds: BigInt(seconds) }),
  }
}
