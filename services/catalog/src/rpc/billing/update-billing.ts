import { invalid, validateAll } from '@figbase/kit/errors'
import { isEmailAddress } from '@figbase/kit/mail'
import { checkedText } from '@figbase/kit/text'
import type { BillingInterval, UpdateBillingRequest } from '@figbase/proto/catalog/billing'
import { recordChange } from '../../billing/record-change.js'
import type { Ctx } from '../../context.js'
import { updateAccount } from '../../queries/billing-accounts.js'
import type { BillingImpl } from '../../routes.js'
import { authorizeBilling, getAccount } from './authorize-billing.js'
import { billingOf } from './get-billing.js'
import { paysByOf } from './wire.js'

export function updateBilling(ctx: Ctx): BillingImpl['updateBilling'] {
  return async (req, call) => {
    await authorizeBilling(ctx, ctx.db, req, call)
    const details = checkedDetails(req)
    const account = await ctx.transact(async (tx) => {
      const { id } = await authorizeBilling(ctx, tx, req, call)
      await getAccount(ctx, tx, id)
      await updateAccount(tx, id, details)
      await recordChange(ctx, tx, id)
      return getAccount(ctx, tx, id)
    })
    return { billing: await billingOf(ctx, account, call) }
  }
}

/** Null for what does not change. */
function checkedDetails(req: UpdateBillingRequest) {
  const text = (field: string, value: string | undefined, charsMax: number) =>
    value === undefined ? null : checkedText(field, value, { charsMax }).trim()
  return validateAll({
    name: () => text('name', req.name, 200),
    address: () => text('address', req.address, 1000),
    country: () => country(req.country),
    tax_id: () => text('tax_id', req.taxId, 50),
    email: () => email(req.email),
    pays_by: () => (req.interval === undefined ? null : paysBy(req.interval)),
  })
}

function country(value: string | undefined) {
  if (value === undefined) return null
  const code = value.trim().toUpperCase()
  if (!/^([A-Z]{2})?$/.test(code)) throw invalid('country', 'must be a code of two letters')
  return code
}

function email(value: string | undefined) {
  if (value === undefined) return null
  const address = checkedText('email', value, { charsMax: 320 }).trim()
  if (address && !isEmailAddress(address)) throw invalid('email', 'is not an e-mail address')
  return address
}

function paysBy(interval: BillingInterval) {
  const known = paysByOf.get(interval)
  if (!known) throw invalid('interval', 'must be month or year')
  return known
}
