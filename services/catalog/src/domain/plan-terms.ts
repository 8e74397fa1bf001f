import { checkedText, invalid } from '@figbase/kit'
import type { PlanTerms as Wire } from '@figbase/proto/catalog/plans'
import type { PlanTerms } from '../queries/plans.js'

const costMax = 9_999_999_999
const intMax = 2 ** 31 - 1

/** Terms as they are stored; a limit that is absent does not limit. */
export function checkedTerms(terms: Wire | undefined): PlanTerms {
  if (!terms) throw invalid('name', 'is required')
  const idleMax = whole('max_idle_seconds', terms.maxIdleSeconds)
  const idle = whole('default_idle_seconds', terms.defaultIdleSeconds)
  if (idle !== null && idleMax !== null && idle > idleMax) {
    throw invalid('default_idle_seconds', 'must not be more than max_idle_seconds')
  }
  return {
    name: checkedText('name', terms.name, { charsMin: 1, charsMax: 200 }),
    description: checkedText('description', terms.description, { charsMax: 5000 }),
    monthly_cost: cost('monthly_cost', terms.monthlyCost),
    annual_cost: cost('annual_cost', terms.annualCost),
    max_storage_bytes: large('max_storage_bytes', terms.maxStorageBytes),
    max_users: whole('max_users', terms.maxUsers),
    allow_flexible_storage: terms.allowFlexibleStorage,
    monthly_token_quota: large('monthly_token_quota', terms.monthlyTokenQuota),
    deep_insight_rate: whole('deep_insight_rate', terms.deepInsightRate),
    compute_enabled: terms.computeEnabled,
    compute_max_running_instances: whole(
      'compute_max_running_instances',
      terms.computeMaxRunningInstances,
    ),
    idle_shutdown_required: terms.idleShutdownRequired,
    max_idle_seconds: idleMax,
    default_idle_seconds: idle,
    max_data_volume_gb: whole('effective_max_data_volume_gb', terms.maxDataVolumeGb),
    is_self_service: terms.isSelfService,
  }
}

function cost(field: string, value: number) {
  if (!(value >= 0 && value <= costMax)) throw invalid(field, 'must be an amount of money')
  return Math.round(value * 100) / 100
}

function whole(field: string, value: number | undefined) {
  if (value === undefined) return null
  if (value < 0 || value > intMax) throw invalid(field, 'must be a whole number, not negative')
  return value
}

function large(field: string, value: bigint | undefined) {
  if (value === undefined) return null
  if (value < 0n) throw invalid(field, 'must not be negative')
  return value
}
