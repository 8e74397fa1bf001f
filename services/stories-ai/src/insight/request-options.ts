import type { HandlerContext } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { requireAi } from './ai-state.js'
import { findPayer } from './payer.js'
import type { StreamOptions } from './stream-answer.js'

/** The options of the requests to the model that a call makes; `workspaceId` pays for them. */
export async function requestOptions(
  ctx: Ctx,
  call: HandlerContext,
  workspaceId: string,
  namedModel = '',
): Promise<Pick<StreamOptions, 'payer' | 'model' | 'signal'>> {
  const as = forward(call)
  const model = await requireAi(ctx, namedModel, as)
  const payer = await findPayer(ctx, requireUser(call), workspaceId, as)
  return { payer, model, signal: call.signal }
}
