import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { type FigureContext, readFigure } from '../figure-context/read-figure.js'
import { checkFigureAccess } from './figure-access.js'

/** What a model gets to know of a figure that the caller may use with AI. `field` names it in errors. */
export async function readCheckedFigure(
  ctx: Ctx,
  field: string,
  revisionId: string,
  as: CallOptions,
  tokensMax: number = ctx.cfg.ai.inputTokensMax,
): Promise<FigureContext> {
  const { workspaceId } = await checkFigureAccess(ctx, field, revisionId, as)
  return readFigure(ctx, { id: revisionId.toLowerCase(), workspaceId }, tokensMax, as)
}
