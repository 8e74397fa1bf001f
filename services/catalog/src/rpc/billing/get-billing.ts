import type { HandlerContext } from '@connectrpc/connect'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { lastPeriods } from '@figbase/kit/text'
import { readAmounts } from '../../billing/read-amounts.js'
import type { Ctx } from '../../context.js'
import type { AccountRow } from '../../queries/billing-accounts.js'
import { countUsers, getSubscriptionRow } from '../../queries/subscriptions.js'
import type { BillingImpl } from '../../routes.js'
import { authorizeBilling, getAccount } from './authorize-billing.js'
import { toAmounts, toDetails, toInterval } from './wire.js'

export function getBilling(ctx: Ctx): BillingImpl['getBilling'] {
  return async (req, call) => {
    const { id } = await authorizeBilling(ctx, ctx.db, req, call)
    return { billing: await billingOf(ctx, await getAccount(ctx, ctx.db, id), call) }
  }
}

/** Calls peers: never call it in a transaction. */
export async function billingOf(ctx: Ctx, account: AccountRow, call: HandlerContext) {
  const { db, cfg } = ctx
  const { holder_id: id } = account
  const period = account.next_period ?? lastPeriods(1)[0] ?? ''
  const [plan, { users }, amounts] = await Promise.all([
    getSubscriptionRow(db, id),
    countUsers(db, id, ''),
    readAmounts(ctx, [account], period, call.signal).catch(undefinedIfUnavailable),
  ])
  const estimate = amounts?.get(id)
  return {
    details: toDetails(account),
    interval: toInterval(account.pays_by),
    planId: plan.id,
    planName: plan.name,
    seats: users,
    currency: cfg.billing.currency,
    period,
    ...(estimate && { estimate: toAmounts(estimate) }),
    provider: cfg.billing.provider,
    hasPaymentMethod: account.has_payment_method,
  }
}

function undefinedIfUnavailable(error: unknown): undefined {
  if (hasCode(error, Code.Unavailable) || hasCode(error, Code.DeadlineExceeded)) return undefined
  throw error
}
