import { invalid, validateAll } from '@figbase/kit/errors'
import { checkedText } from '@figbase/kit/text'
import type { PlanTerms as Wire } from '@figbase/proto/catalog/plans'
import type { PlanTerms } from '../queries/plans.js'

const costMax = 9_999_999_999
const intMax = 2 ** 31 - 1

/** Validated plan terms as stored. An absent limit means unlimited. */
export function checkedTerms(terms: Wire | undefined): PlanTerms {
  if (!terms) throw invalid('name', 'is required')
  const checked = validateAll({
    name: () => checkedText('name', terms.name, { charsMin: 1, charsMax: 200 }),
    description: () => checkedText('description', terms.description, { charsMax: 5000 }),
    monthly_cost: () => cost('monthly_cost', terms.monthlyCost),
    annual_cost: () => cost('annual_cost', terms.annualCost),
    max_storage_bytes: () => large('max_storage_bytes', terms.maxStorageBytes),
    max_users: () => whole('max_users', terms.maxUsers),
    monthly_token_quota: () => large('monthly_token_quota', terms.monthlyTokenQuota),
    deep_insight_rate: () => whole('deep_insight_rate', terms.deepInsightRate),
    compute_max_running_instances: () =>
      whole('compute_max_running_instances', terms.computeMaxRunningInstances),
    max_idle_seconds: () => whole('max_idle_seconds', terms.maxIdleSeconds),
    default_idle_seconds: () => idle(terms),
    max_data_volume_gb: () => whole('effective_max_data_volume_gb', terms.maxDataVolumeGb),
    monthly_compute_seconds: () => large('monthly_compute_seconds', terms.monthlyComputeSeconds),
  })
  return {
    ...checked,
    allow_flexible_storage: terms.allowFlexibleStorage,
    compute_enabled: terms.computeEnabled,
    idle_shutdown_required: terms.idleShutdownRequired,
    is_self_service: terms.isSelfService,
  }
}

function idle({ defaultIdleSeconds, maxIdleSeconds }: Wire) {
  const seconds = whole('default_idle_seconds', defaultIdleSeconds)
  if (seconds !== null && maxIdleSeconds !== undefined && seconds > maxIdleSeconds) {
    throw invalid('default_idle_seconds', 'must not be more than max_idle_seconds')
  }
  return seconds
}

function cost(field: string, value: number) {
  if (!(value >= 0 && value <= costMax))
    throw invalid(field, `must be an amount between 0 and ${costMax}`)
  return Math.round(value * 100) / 100
}

function whole(field: string, value: number | undefined) {
  if (value === undefined) return null
  if (value < 0 || value > intMax)
    throw invalid(field, `must be an integer between 0 and ${intMax}`)
  return value
}

function large(field: string, value: bigint | undefined) {
  if (value === undefined) return null
  if (value < 0n) throw invalid(field, 'must be at least 0')
  return value
}
