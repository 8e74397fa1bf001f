import { Code, ConnectError } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { requireAi } from '../insight/ai-state.js'
import { checkFigureAccess } from '../insight/figure-access.js'
import { findPayer, type Payer } from '../insight/payer.js'
import { daysText, tokensLeft } from '../metering/meter.js'
import { requestsLeft } from '../metering/rate.js'
import { getQuotaState } from '../queries/ai-requests.js'
import type { InsightImpl } from '../routes.js'

export function check(ctx: Ctx): InsightImpl['check'] {
  return async ({ revisionId }, call) => {
    const username = requireUser(call)
    const as = forward(call)
    await requireAi(ctx, '', as)
    try {
      const { workspaceId } = await checkFigureAccess(ctx, 'figure_revision', revisionId, as)
      return await stateOf(ctx, await findPayer(ctx, username, workspaceId, as))
    } catch (error) {
      if (!(error instanceof ConnectError && error.code === Code.PermissionDenied)) throw error
      return { available: false, messages: [error.rawMessage] }
    }
  }
}

async function stateOf(ctx: Ctx, payer: Payer) {
  const { tokensPerMonthMax: quota, requestsPerMinuteMax } = payer
  const requests = await requestsLeft(ctx.aiRate, payer)
  const messages =
    requests === null ? [] : [`${requests} of ${requestsPerMinuteMax} requests left in this minute`]
  if (quota === null) return { available: requests !== 0, messages }
  const { usedTokens, reservedTokens, secondsLeft } = await getQuotaState(ctx.db, payer.holderId)
  const tokens = tokensLeft(quota, usedTokens, reservedTokens)
  messages.push(`${tokens} of ${quota} tokens left; the quota renews in ${daysText(secondsLeft)}`)
  return { available: requests !== 0 && tokens > 0n, messages }
}
