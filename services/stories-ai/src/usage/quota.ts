import type { HandlerContext } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { tokensLeft } from '../metering/meter.js'
import { getQuotaState } from '../queries/ai-requests.js'

/** What is left in this month of the plan of a workspace or organization; undefined: unlimited. */
export async function readQuota({ plans, db }: Ctx, nodeId: string, call: HandlerContext) {
  const { holderId, terms } = await plans.getPlanTerms({ workspaceId: nodeId }, forward(call))
  const tokensPerMonth = terms?.monthlyTokenQuota
  if (tokensPerMonth === undefined) return undefined
  const { usedTokens, reservedTokens, renewsOn } = await getQuotaState(db, holderId)
  return {
    tokensPerMonth,
    tokensLeft: tokensLeft(tokensPerMonth, usedTokens, reservedTokens),
    renewsOn: toTimestamp(renewsOn),
  }
}
