import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'

/** The user of a request, and the workspace whose plan pays for it. A null limit means unlimited. */
export type Payer = {
  username: string
  workspaceId: string
  holderId: string
  organizationId: string | null
  tokensPerMonthMax: bigint | null
  requestsPerMinuteMax: number | null
}

export async function findPayer(
  { plans }: Pick<Ctx, 'plans'>,
  username: string,
  workspaceId: string,
  as: CallOptions,
): Promise<Payer> {
  const { holderId, organizationId, terms } = await plans.getPlanTerms({ workspaceId }, as)
  return {
    username,
    workspaceId,
    holderId,
    organizationId: organizationId || null,
    tokensPerMonthMax: terms?.monthlyTokenQuota ?? null,
    requestsPerMinuteMax: terms?.deepInsightRate ?? null,
  }
}
