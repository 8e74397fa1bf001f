import assert from 'node:assert/strict'
import { actAs, user } from '@figbase/kit/rpc'
import { issueDue } from '../src/billing/issue.js'
import { ada, createNode, startTestCatalog, type TestCatalog, WORKSPACE } from './test-service.js'

export const staff = actAs(user('root', true))

export const billingEnv = {
  BILLING_PROVIDER: 'none',
  BILLING_CURRENCY: 'EUR',
  BILLING_TAXES: '*:VAT:19,CH:MWST:8.1',
  BILLING_SELLER_NAME: 'Figures Ltd.',
  BILLING_SELLER_ADDRESS: '1 Main Street; Berlin; Tax id 42',
  BILLING_SEAT_MINOR_UNITS: '500',
  BILLING_STORAGE_GIB_MONTH_MINOR_UNITS: '25',
  BILLING_COMPUTE_HOUR_MINOR_UNITS: '40',
  BILLING_AI_MILLION_TOKENS_MINOR_UNITS: '300',
}

export const startBilling = (
  env: Record<string, string> = {},
  waitingJobs: string[] = [],
): Promise<TestCatalog> => startTestCatalog({ env: { ...billingEnv, ...env }, waitingJobs })

/** A plan that managers may choose. */
export async function createPlan({ plans }: TestCatalog, terms: object = {}): Promise<string> {
  const defaults = { name: 'Team', monthlyCost: 12.5, annualCost: 100, isSelfService: true }
  const { plan } = await plans.createPlan({ terms: { ...defaults, ...terms } }, staff)
  assert.ok(plan)
  return plan.id
}

/** A workspace of ada with a plan since the beginning of a month. */
export async function createHolder(
  catalog: TestCatalog,
  planId: string,
  since: string,
): Promise<string> {
  const { id } = await createNode(catalog, WORKSPACE)
  await catalog.plans.changeSubscription({ nodeId: id, type: WORKSPACE, planId }, ada)
  await catalog.query(
    `update billing_account set next_period = '${since}' where holder_id = '${id}'`,
  )
  await catalog.query(
    `update billing_change set changed_on = '${since}-01T00:00:00Z' where holder_id = '${id}'`,
  )
  return id
}

/** Issues the invoices up to a month. */
export async function issueAll({ ctx }: TestCatalog, period: string): Promise<void> {
  while (await issueDue(ctx, period));
}
