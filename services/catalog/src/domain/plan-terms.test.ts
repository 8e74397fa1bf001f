import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { PlanTermsSchema } from '@figbase/proto/catalog/plans'
import { checkedTerms } from './plan-terms.js'

type Terms = MessageInitShape<typeof PlanTermsSchema>

const checked = (terms: Terms) => checkedTerms(create(PlanTermsSchema, { name: 'Group', ...terms }))
const intMax = 2_147_483_647

test('keeps the given terms; absent limits are null', () => {
  const limits = {
    max_storage_bytes: null,
    max_users: null,
    monthly_token_quota: null,
    deep_insight_rate: null,
    compute_max_running_instances: null,
    max_idle_seconds: null,
    default_idle_seconds: null,
    max_data_volume_gb: null,
    monthly_compute_seconds: null,
  }
  assert.deepEqual(
    checked({ description: 'For groups', isSelfService: true, computeEnabled: true }),
    {
      name: 'Group',
      description: 'For groups',
      monthly_cost: 0,
      annual_cost: 0,
      allow_flexible_storage: false,
      compute_enabled: true,
      idle_shutdown_required: false,
      is_self_service: true,
      ...limits,
    },
  )
})

test('accepts limits of 0 and the largest values', () => {
  const zero = checked({ maxStorageBytes: 0n, maxUsers: 0, monthlyTokenQuota: 0n })
  assert.deepEqual([zero.max_storage_bytes, zero.max_users, zero.monthly_token_quota], [0n, 0, 0n])
  assert.equal(checked({ maxUsers: intMax }).max_users, intMax)
  const costs = checked({ monthlyCost: 9_999_999_999, annualCost: 1.239 })
  assert.deepEqual([costs.monthly_cost, costs.annual_cost], [9_999_999_999, 1.24])
  const idle = checked({ maxIdleSeconds: 60, defaultIdleSeconds: 60 })
  assert.deepEqual([idle.max_idle_seconds, idle.default_idle_seconds], [60, 60])
})

test('compares idle times only if both are given', () => {
  assert.equal(checked({ defaultIdleSeconds: 61 }).default_idle_seconds, 61)
  assert.equal(checked({ maxIdleSeconds: 0 }).max_idle_seconds, 0)
})

for (const [field, terms] of [
  ['name', { name: '' }],
  ['name', { name: 'n'.repeat(201) }],
  ['description', { description: 'd'.repeat(5001) }],
  ['monthly_cost', { monthlyCost: -0.01 }],
  ['monthly_cost', { monthlyCost: Number.NaN }],
  ['annual_cost', { annualCost: 10_000_000_000 }],
  ['max_storage_bytes', { maxStorageBytes: -1n }],
  ['monthly_token_quota', { monthlyTokenQuota: -1n }],
  ['max_users', { maxUsers: -1 }],
  ['deep_insight_rate', { deepInsightRate: -1 }],
  ['compute_max_running_instances', { computeMaxRunningInstances: -1 }],
  ['monthly_compute_seconds', { monthlyComputeSeconds: -1n }],
  ['max_idle_seconds', { maxIdleSeconds: -1 }],
  ['default_idle_seconds', { defaultIdleSeconds: -1 }],
  ['default_idle_seconds', { maxIdleSeconds: 60, defaultIdleSeconds: 61 }],
  ['effective_max_data_volume_gb', { maxDataVolumeGb: -1 }],
] satisfies [string, Terms][]) {
  const sent = JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  test(`rejects an invalid ${field}: ${sent.slice(0, 60)}`, () => {
    assert.throws(() => checked(terms), { message: new RegExp(`\\] ${field}: `) })
  })
}

test('rejects missing terms', () => {
  assert.throws(() => checkedTerms(undefined), { message: /name: is required/ })
})

test('errors name the valid range of each invalid term only', () => {
  const refusals: [Terms, string][] = [
    [{ monthlyCost: -1 }, 'monthly_cost: must be an amount between 0 and 9999999999'],
    [{ maxUsers: intMax + 1 }, `max_users: must be an integer between 0 and ${intMax}`],
    [{ maxStorageBytes: -1n }, 'max_storage_bytes: must be at least 0'],
    [
      { maxIdleSeconds: 60, defaultIdleSeconds: 61 },
      'default_idle_seconds: must not be more than max_idle_seconds',
    ],
    [{ maxIdleSeconds: -1 }, `max_idle_seconds: must be an integer between 0 and ${intMax}`],
  ]
  for (const [terms, refusal] of refusals) {
    assert.throws(
      () => checked(terms),
      (error) => {
        assert.ok(error instanceof ConnectError)
        const fields = detailOf(error)?.fields.map(({ field, reason }) => `${field}: ${reason}`)
        assert.deepEqual(fields, [refusal])
        return true
      },
    )
  }
})
