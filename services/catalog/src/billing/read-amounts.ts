import { actAsSystem } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import { type Amounts, amountsOf, type Change, type Used } from '../domain/billing/lines.js'
import { monthOf } from '../domain/billing/month.js'
import {
  type AccountRow,
  type ChangeRow,
  listChanges,
  listStored,
} from '../queries/billing-accounts.js'
import { taxesOf } from './settings.js'

/**
 * What a month costs holders, by their id. The ledgers of compute and AI are read with a call for all of them: never call it
 * in a transaction. Throws when one is unavailable.
 */
export async function readAmounts(
  ctx: Ctx,
  accounts: AccountRow[],
  period: string,
  signal?: AbortSignal,
): Promise<Map<string, Amounts>> {
  const { db, cfg } = ctx
  const ids = accounts.map(({ holder_id }) => holder_id)
  const [changes, used] = await Promise.all([
    listChanges(db, ids, parsePeriod(period)),
    readUsed(ctx, ids, period, signal),
  ])
  const byHolder = new Map<string, Change[]>()
  for (const row of changes) {
    byHolder.set(row.holder_id, [...(byHolder.get(row.holder_id) ?? []), toChange(row)])
  }
  const { prices, taxes } = cfg.billing
  const month = monthOf(period)
  return new Map(
    accounts.map(({ holder_id: id, country }) => {
      const of = byHolder.get(id) ?? []
      return [id, amountsOf(month, of, used(id), prices, taxesOf(taxes, country))]
    }),
  )
}

async function readUsed(
  { db, compute, aiUsage }: Ctx,
  ids: string[],
  period: string,
  signal?: AbortSignal,
) {
  const call = { ...actAsSystem(), ...(signal && { signal }) }
  const request = { holderIds: ids, period }
  const [stored, seconds, tokens] = await Promise.all([
    listStored(db, ids, period),
    compute.listHolderSeconds(request, call),
    aiUsage.listHolderTokens(request, call),
  ])
  const bytesOf = new Map(stored.map(({ holder_id, bytes }) => [holder_id, bytes]))
  const secondsOf = new Map(seconds.items.map((one) => [one.holderId, one.billableSeconds]))
  const tokensOf = new Map(tokens.items.map((one) => [one.holderId, one.tokens]))
  return (id: string): Used => ({
    storedBytes: bytesOf.get(id) ?? 0n,
    computeSeconds: secondsOf.get(id) ?? 0n,
    tokens: tokensOf.get(id) ?? 0n,
  })
}

const toChange = (row: ChangeRow): Change => ({
  at: row.at,
  planId: row.plan_id,
  planName: row.plan_name,
  monthlyMinor: row.monthly_minor,
  annualMinor: row.annual_minor,
  paysBy: row.pays_by,
  seats: row.seats,
  maxStorageBytes: row.max_storage_bytes,
  monthlyComputeSeconds: row.monthly_compute_seconds,
  monthlyTokenQuota: row.monthly_token_quota,
  computeOveragesEnabled: row.compute_overages_enabled,
})
